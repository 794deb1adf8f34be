import { isDeepStrictEqual } from 'node:util'
import { refuse } from '../core/errors.ts'
import { toDatabase } from '../core/time.ts'
import { listTags } from '../tags/tags.ts'
import type { MergeWinners } from './merge-schema.ts'
import type { ContactFields, LockedContact } from './queries.ts'

/** Which values the contact that remains has after a merge. */

export const mergedFields = [
  'external_id',
  'telegram_id',
  'email',
  'full_name',
  'phone',
  'telegram_username',
  'avatar_url',
  'language',
  'timezone',
  'note',
  'organization_id',
] as const

const customField = 'custom_fields.'

/** Whether the source's value is taken: if somebody has chosen it, or the target has none. */
const takes = (winners: MergeWinners, field: string, targetValue: unknown, sourceValue: unknown): boolean =>
  sourceValue !== null && (winners[field] === 'from' || (targetValue === null && winners[field] !== 'into'))

function mergeCustomFields(source: LockedContact, target: LockedContact, winners: MergeWinners) {
  const merged = { ...target.custom_fields }
  for (const [key, value] of Object.entries(source.custom_fields))
    if (takes(winners, customField + key, merged[key] ?? null, value)) merged[key] = value
  return merged
}

/** If either contact is blocked, the result is blocked, unless somebody has chosen. */
function blockOf(source: LockedContact, target: LockedContact, winner?: 'from' | 'into'): string | null {
  if (winner) return printTime((winner === 'from' ? source : target).blocked_at)
  return printTime(target.blocked_at ?? source.blocked_at)
}

const printTime = (at: string | null): string | null => at && toDatabase(at)

/** The contact with `blocked_at` in the form in which it is written, so that an unchanged time is not a difference. */
export const printBlock = (contact: LockedContact): LockedContact => ({
  ...contact,
  blocked_at: printTime(contact.blocked_at),
})

function requireKnown(source: LockedContact, target: LockedContact, winners: MergeWinners): void {
  const keys = Object.keys({ ...source.custom_fields, ...target.custom_fields })
  const known = new Set<string>([...mergedFields, 'is_blocked', ...keys.map(key => customField + key)])
  const unknown = Object.keys(winners).filter(name => !known.has(name))
  if (unknown.length) throw refuse('winners', 'unknown_field', { unknown, valid: [...known] })
}

/** The target keeps its fields, except those of which the source was chosen, and gets those that it lacks. */
export function unionOf(source: LockedContact, target: LockedContact, winners: MergeWinners): ContactFields {
  requireKnown(source, target, winners)
  const fields: ContactFields = {}
  for (const field of mergedFields)
    if (takes(winners, field, target[field], source[field])) Object.assign(fields, { [field]: source[field] })
  if (fields.organization_id) fields.is_organization_chosen = source.is_organization_chosen
  return {
    ...fields,
    tags: listTags([...target.tags, ...source.tags]),
    custom_fields: mergeCustomFields(source, target, winners),
    blocked_at: blockOf(source, target, winners.is_blocked),
  }
}

/** From and to of each field; each custom field has its own entry. */
export type MergedFieldChanges = Record<string, [before: unknown, after: unknown]>

/** The fields that a merge changes in the target. Null stands for a missing custom field. */
export function describeChanges(target: LockedContact, fields: ContactFields): MergedFieldChanges {
  const { custom_fields: after = target.custom_fields, ...others } = fields
  const before = target.custom_fields
  const keys = Object.keys(after).filter(key => !isDeepStrictEqual(before[key], after[key]))
  const old: Record<string, unknown> = { ...printBlock(target) }
  return Object.fromEntries([
    ...Object.entries(others).map(([field, value]) => [field, [old[field], value]] as const),
    ...keys.map(key => [customField + key, [before[key] ?? null, after[key]]] as const),
  ])
}

type Compared = Pick<LockedContact, (typeof mergedFields)[number] | 'custom_fields' | 'blocked_at'>

export interface Difference {
  field: string
  from: unknown
  into: unknown
  winner: 'from' | 'into'
}

/** The fields that differ, and whose value wins unless somebody chooses. */
export function listDifferences(source: Compared, target: Compared): Difference[] {
  const keys = Object.keys({ ...source.custom_fields, ...target.custom_fields })
  const rows: [string, unknown, unknown][] = [
    ...mergedFields.map((field): [string, unknown, unknown] => [field, source[field], target[field]]),
    ...keys.map((key): [string, unknown, unknown] => [
      customField + key,
      source.custom_fields[key] ?? null,
      target.custom_fields[key] ?? null,
    ]),
  ]
  const differing = rows
    .filter(([, from, into]) => !isDeepStrictEqual(from, into))
    .map(([field, from, into]): Difference => {
      return { field, from, into, winner: takes({}, field, into, from) ? 'from' : 'into' }
    })
  const [from, into] = [source.blocked_at !== null, target.blocked_at !== null]
  if (from === into) return differing
  return [...differing, { field: 'is_blocked', from, into, winner: from ? 'from' : 'into' }]
}
