import { isDeepStrictEqual } from 'node:util'
import { asList, asRecord, propertyOf } from '../core/objects.ts'

/** How the fields of a ticket changed. */

/** The old and the new value of a field. */
export type Replacement = [from: unknown, to: unknown]

export interface TagDifference {
  added: string[]
  removed: string[]
}

/** Each custom field has an entry, `custom_fields.<key>`; null stands for a missing value. Only `tags` is a difference. */
export type TicketFieldChanges = Record<string, Replacement | TagDifference>

export const isReplacement = (change: Replacement | TagDifference): change is Replacement =>
  Array.isArray(change)

const customPrefix = 'custom_fields.'

/** The key of a custom field in an entry; null for other fields. */
export const customKeyOf = (field: string): string | null =>
  field.startsWith(customPrefix) ? field.slice(customPrefix.length) : null

/** Times have the form of the API, as they do when they are read from the database. */
const normalize = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{6}Z$/.test(value)
    ? value.slice(0, -1)
    : (value ?? null)

const listNames = (tags: unknown): string[] => asList(tags).map(String)

function compareTags(old: unknown, changed: unknown): TicketFieldChanges {
  const [from, to] = [listNames(old), listNames(changed)]
  const added = to.filter(tag => !from.includes(tag))
  const removed = from.filter(tag => !to.includes(tag))
  return added.length || removed.length ? { tags: { added, removed } } : {}
}

function compareValues(field: string, old: unknown, changed: unknown): TicketFieldChanges {
  const [from, to] = [normalize(old), normalize(changed)]
  return isDeepStrictEqual(from, to) ? {} : { [field]: [from, to] }
}

function compareCustomFields(old: unknown, changed: unknown): TicketFieldChanges {
  const keys = new Set([...Object.keys(asRecord(old)), ...Object.keys(asRecord(changed))])
  return Object.assign(
    {},
    ...[...keys].map(key =>
      compareValues(`${customPrefix}${key}`, propertyOf(old, key), propertyOf(changed, key)),
    ),
  )
}

const comparisons: Record<string, (old: unknown, changed: unknown) => TicketFieldChanges> = {
  tags: compareTags,
  custom_fields: compareCustomFields,
}

/** The changes from the old values to these. */
export function compareFields(old: object, fields: object): TicketFieldChanges {
  const changes: TicketFieldChanges = {}
  for (const [field, value] of Object.entries(fields)) {
    const compare = comparisons[field] ?? ((from, to) => compareValues(field, from, to))
    Object.assign(changes, compare(propertyOf(old, field), value))
  }
  return changes
}

function joinTags(first: TagDifference, second: TagDifference): TicketFieldChanges {
  const added = [
    ...first.added.filter(tag => !second.removed.includes(tag)),
    ...second.added.filter(tag => !first.removed.includes(tag)),
  ]
  const removed = [
    ...first.removed.filter(tag => !second.added.includes(tag)),
    ...second.removed.filter(tag => !first.added.includes(tag)),
  ]
  return added.length || removed.length ? { tags: { added, removed } } : {}
}

/** Two changes, one after the other, as one. */
export function joinChanges(first: TicketFieldChanges, second: TicketFieldChanges): TicketFieldChanges {
  const joined = { ...first, ...second }
  for (const [field, change] of Object.entries(second)) {
    const before = first[field]
    if (!before) continue
    delete joined[field]
    if (isReplacement(before) && isReplacement(change))
      Object.assign(joined, compareValues(field, before[0], change[1]))
    else if (!isReplacement(before) && !isReplacement(change)) Object.assign(joined, joinTags(before, change))
  }
  return joined
}
