import type { ReactNode } from 'react'
import type { Icon } from '../core/icon.ts'

/** The entries of the command bar, and the order in which typed words list them. */

export interface Entry {
  /** A path for records and pages, so that an entry found in two ways is listed once. */
  id: string
  group: string
  label: string
  /** May contain words that are marked for `Isolated`. */
  about?: string
  icon?: Icon
  picture?: ReactNode
  keys?: string
  /** Further words by which it is found. */
  words?: string
  run(): unknown
}

/** How well an entry matches; the lowest number is the best match. */
const ranks = { prefix: 0, phrase: 1, words: 2, synonyms: 3, parts: 4 }

const fold = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase()

const split = (text: string): string[] => fold(text).split(/[\s:/,.()“”-]+/)

const beginAll = (typed: string[], words: string[]): boolean =>
  typed.every(part => words.some(word => word.startsWith(part)))

/** Null if the entry does not match. */
export function rankOf({ label, about = '', words = '' }: Entry, typed: string): number | null {
  const name = fold(label)
  const query = fold(typed.trim())
  if (name.startsWith(query)) return ranks.prefix
  const parts = split(typed).filter(Boolean)
  if (` ${split(label).join(' ')}`.includes(` ${parts.join(' ')}`)) return ranks.phrase
  if (beginAll(parts, split(label))) return ranks.words
  if (beginAll(parts, split(`${label} ${words}`))) return ranks.synonyms
  const all = fold(`${label} ${about} ${words}`)
  return parts.every(part => all.includes(part)) ? ranks.parts : null
}

export interface EntryGroup {
  name: string
  entries: Entry[]
}

interface Ranked {
  entry: Entry
  rank: number
}

/** Groups in the order of their best entries, and in each group the best match first. */
function groupByRank(ranked: Ranked[]): EntryGroup[] {
  const sorted = ranked.toSorted((one, other) => one.rank - other.rank)
  return groupInOrder(sorted.map(({ entry }) => entry))
}

export const groupInOrder = (entries: Entry[]): EntryGroup[] =>
  [...Map.groupBy(entries, ({ group }) => group)].map(([name, found]) => ({ name, entries: found }))

/** Of entries with the same id, the first. */
function withoutRepeated(entries: Entry[]): Entry[] {
  const byId = new Map<string, Entry>()
  for (const entry of entries) if (!byId.has(entry.id)) byId.set(entry.id, entry)
  return [...byId.values()]
}

interface Found {
  /** The ticket with the typed number. */
  first: Entry[]
  /** Known without asking the server. */
  local: Entry[]
  /** Found by the server. */
  remote: Entry[]
  /** Whether the server has answered for these words. */
  isSettled: boolean
}

/** Groups in a row with the same heading become one. */
function mergeNeighbours(groups: EntryGroup[]): EntryGroup[] {
  const merged: EntryGroup[] = []
  for (const { name, entries } of groups) {
    const last = merged.at(-1)
    if (last?.name === name) last.entries.push(...entries)
    else merged.push({ name, entries: [...entries] })
  }
  return merged
}

/**
 * Nothing moves when the server's results arrive: they appear below the entries that match well, together with the entries that
 * match only in part. Until then, the results for earlier words that still match are shown.
 */
export function listGroups({ first, local, remote, isSettled }: Found, typed: string): EntryGroup[] {
  const unique = withoutRepeated([...first, ...local])
  if (!typed.trim()) return groupInOrder(unique)
  const ranked = unique.slice(first.length).flatMap(entry => {
    const rank = rankOf(entry, typed)
    return rank === null ? [] : [{ entry, rank }]
  })
  const good = ranked.filter(({ rank }) => rank < ranks.parts)
  const listed = new Set([...first, ...good.map(({ entry }) => entry)].map(({ id }) => id))
  const found = remote.filter(entry => !listed.has(entry.id) && (isSettled || rankOf(entry, typed) !== null))
  for (const { id } of found) listed.add(id)
  const rest = isSettled ? ranked.filter(({ entry }) => !listed.has(entry.id)) : []
  return mergeNeighbours([
    ...groupInOrder(first),
    ...groupByRank(good),
    ...groupByRank(found.map(entry => ({ entry, rank: rankOf(entry, typed) ?? ranks.parts }))),
    ...groupByRank(rest),
  ])
}
