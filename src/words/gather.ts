import { createHash } from 'node:crypto'
import type { Db, Fragment, Sql } from '../core/db.ts'
import { keyOf, remaindersOf } from '../core/words/spelling.ts'
import { stemmedLanguage, stemOf } from '../core/words/stem.ts'
import { readTokens } from '../core/words/tokens.ts'
import { insertWords, lockProgress, newestTime, type Place, type Progress, saveProgress } from './queries.ts'
import type { Gathered, Written } from './source.ts'

/** Gathers the words that a project has written: those that differ only in their ending, or by a typing error, are found by them. */

/** Records that a transaction reads. */
const batch = 1_000
/** Words of one text: somebody who writes thousands of invented ones does not fill the list. */
const mostOfText = 1_000

const lettersOnly = /^\p{L}[\p{L}\p{M}]+$/u

/** A word and the languages whose stems it has. */
type Found = Map<string, Set<string>>

function collect(found: Found, { text, language }: Written, usual: string): void {
  const known = stemmedLanguage(language ?? usual)
  let left = mostOfText
  for (const { word, kind, start, end } of readTokens(text)) {
    if (kind === 'gram' || left === 0 || !lettersOnly.test(word)) continue
    const stems = found.get(word) ?? new Set()
    if (known && kind === 'word') stems.add(`${known} ${stemOf(text.slice(start, end), known)}`)
    found.set(word, stems)
    left--
  }
}

/** What this process has written: most words of a text are known already. */
const written = new Set<string>()
const mostWritten = 500_000

/** Of a word with its stems, small. */
const markOf = (projectId: string, word: string, stems: Set<string>): string =>
  createHash('sha1')
    .update(`${projectId} ${word} ${[...stems].sort().join()}`)
    .digest('base64')
    .slice(0, 12)

async function write(sql: Sql, projectId: string, found: Found): Promise<string[]> {
  const fresh = [...found]
    .map(([word, stems]) => ({ word, stems, mark: markOf(projectId, word, stems) }))
    .filter(({ mark }) => !written.has(mark))
    .toSorted((a, b) => (a.word < b.word ? -1 : 1))
  await insertWords(
    sql,
    projectId,
    fresh.map(({ word, stems }) => ({
      word,
      keys: [...stems, ...remaindersOf(word)].map(key => keyOf(projectId, key)),
    })),
  )
  return fresh.map(({ mark }) => mark)
}

type Row = Place & { fields: never }

async function read(sql: Sql, projectId: string, kind: Gathered<never>, after: Place | null): Promise<Row[]> {
  const at = kind.changedAt(sql)
  const from = after
    ? sql`and (${at}, ${sql(kind.id)}) > (${after.at}::timestamptz, ${after.id}::uuid)`
    : sql``
  return sql<Row[]>`
    select ${sql(kind.id)} as id, (${at})::text as at, ${kind.columns(sql)} as fields from ${kind.rows(sql, projectId)} ${from as Fragment}
    order by ${at}, ${sql(kind.id)} limit ${batch}`
}

/** Some records of one kind. */
async function gatherKind(
  sql: Sql,
  projectId: string,
  kind: Gathered<never>,
  progress: Progress,
  found: Found,
): Promise<number> {
  const rows = await read(sql, projectId, kind, progress.places[kind.name] ?? null)
  const languages = new Set(progress.languages)
  for (const { fields } of rows)
    for (const text of kind.read(fields)) {
      collect(found, text, progress.default_locale)
      const language = stemmedLanguage(text.language)
      if (language) languages.add(language)
    }
  progress.languages = [...languages]
  const last = rows.at(-1)
  if (last) progress.places[kind.name] = { at: last.at, id: last.id }
  return rows.length
}

/** Reads some of what a project has written since the last time. Returns how many records. */
export async function gather(db: Db, projectId: string, kinds: readonly Gathered<never>[]): Promise<number> {
  const done = await db.begin(async tx => {
    const sql = tx as unknown as Sql
    const progress = await lockProgress(sql, projectId)
    if (!progress) return { count: 0, marks: [] }
    const until = await newestTime(sql, projectId)
    const found: Found = new Map()
    let count = 0
    for (const kind of kinds) count += await gatherKind(sql, projectId, kind, progress, found)
    const marks = await write(sql, projectId, found)
    await saveProgress(sql, projectId, progress, count === 0 ? until : null)
    return { count, marks }
  })
  const { count, marks } = done as { count: number; marks: string[] }
  if (written.size > mostWritten) written.clear()
  for (const mark of marks) written.add(mark)
  return count
}
