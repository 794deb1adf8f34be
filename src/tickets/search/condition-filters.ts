import {
  type Comparison,
  type ConditionContext,
  type FieldName,
  type PlainField,
  resolveCondition,
  type Test,
} from '../../conditions/conditions.ts'
import type { Condition } from '../../conditions/schema.ts'
import type { Fragment, Sql } from '../../core/db/db.ts'
import { type ComparedValue, compare } from './compare.ts'
import { type Conditions, columnOf, isUnread, type Side } from './filters.ts'
import { isNarrowing } from './narrowing.ts'

/** Translates conditions into SQL. */

interface Query {
  sql: Sql
  projectId: string
  viewerId: string | null
  isNegated: boolean
}

/** The columns that the activity has, as copies or alone. All other fields belong to the ticket. */
const copied: readonly string[] = [
  'status',
  'priority',
  'channel',
  'operator_id',
  'department_id',
  'created_at',
  'closed_at',
  'is_spam',
] satisfies PlainField[]
const ofActivity: readonly string[] = [
  'last_message_at',
  'waiting_since',
  'messages_count',
  'is_unread',
] satisfies PlainField[]

const hasFiles = ({ sql, projectId }: Query): Fragment =>
  sql`exists (
    select from messages m join media f on f.project_id = m.project_id and f.message_id = m.id
    where m.project_id = ${projectId} and m.ticket_id = t.id and m.deleted_at is null)`

const never = ({ sql }: Query): Fragment => sql`false`

/** Fields that are not a column. */
const derived: Partial<Record<PlainField, (query: Query) => Fragment>> = {
  is_unread: query =>
    query.viewerId === null
      ? never(query)
      : // A ticket without messages is not unread.
        query.sql`(${isUnread(query.sql, query.projectId, query.viewerId)} is true)`,
  is_snoozed: ({ sql }) => sql`(t.snoozed_until is not null)`,
  is_merged: ({ sql }) => sql`(t.merged_into_id is not null)`,
  has_files: hasFiles,
  'contact.name': ({ sql }) => sql`c.full_name`,
  'contact.email_domain': ({ sql }) => sql`split_part(c.email, '@', 2)`,
  organization_id: ({ sql }) => sql`c.organization_id`,
}

function columnFor(query: Query, name: PlainField, side: Side): Fragment {
  const own = derived[name]
  if (own) return own(query)
  const table = copied.includes(name) ? side : ofActivity.includes(name) ? 'a' : 't'
  return columnOf(query.sql, table)(name)
}

function readValue(query: Query, field: FieldName, side: Side): ComparedValue {
  const base = { isNegated: query.isNegated }
  if ('plain' in field)
    return { ...base, column: columnFor(query, field.plain, side), name: field.plain, custom: null }
  const { record, key } = field.custom
  const column = record === 'contact' ? query.sql`c.custom_fields` : query.sql`t.custom_fields`
  return { ...base, column, name: null, custom: { key, kind: field.kind } }
}

const isOfContact = (field: FieldName): boolean =>
  'plain' in field
    ? field.plain.startsWith('contact.') || field.plain === 'organization_id'
    : field.custom.record === 'contact'

function printLeaf(query: Query, field: FieldName, comparison: Comparison, side: Side): Fragment {
  const { sql, projectId } = query
  const holds = compare(sql, projectId, readValue(query, field, side), comparison)
  return isOfContact(field)
    ? sql`exists (select from contacts c where c.project_id = ${projectId} and c.id = t.contact_id and ${holds})`
    : holds
}

const join = (sql: Sql, tests: Fragment[], word: 'and' | 'or'): Fragment =>
  tests.reduce((all, one) => sql`${all} ${sql.unsafe(word)} ${one}`)

function print(asked: Query, test: Test, side: Side): Fragment {
  const { sql } = asked
  if (test === null) return sql`false`
  const isNegated = asked.isNegated || (test.join === null ? test.isNegated : test.join === 'none')
  const query = { ...asked, isNegated }
  if (test.join === null) {
    const holds = printLeaf(query, test.field, test.comparison, side)
    return test.isNegated ? sql`((${holds}) is not true)` : sql`(${holds})`
  }
  const members = test.of.map(one => print(query, one, side))
  if (!members.length) return test.join === 'any' ? sql`false` : sql`true`
  if (test.join === 'all') return sql`(${join(sql, members, 'and')})`
  const some = join(sql, members, 'or')
  return test.join === 'any' ? sql`(${some})` : sql`((${some}) is not true)`
}

type Place = 'copied' | 'own' | 'activity'

const placeOfField = (field: FieldName): Place => {
  if (!('plain' in field)) return 'own'
  return copied.includes(field.plain) ? 'copied' : ofActivity.includes(field.plain) ? 'activity' : 'own'
}

function listPlaces(test: Test): Place[] {
  if (test === null) return []
  return test.join === null ? [placeOfField(test.field)] : test.of.flatMap(listPlaces)
}

/** The parts of a condition that must all be true. */
const listParts = (test: Test): Test[] => (test?.join === 'all' ? test.of.flatMap(listParts) : [test])

/** Whether the condition says which tickets are spam, so that lists do not leave out spam as well. */
export const namesSpam = (test: Test): boolean => {
  if (test === null) return false
  if (test.join !== null) return test.of.some(namesSpam)
  return 'plain' in test.field && test.field.plain === 'is_spam'
}

/** Each part is checked in the table that has all its columns, so that a list need not read tickets if the activity is enough. */
export function conditionFilters(
  sql: Sql,
  projectId: string,
  condition: Condition,
  context: ConditionContext,
): Conditions & { namesSpam: boolean } {
  const query = { sql, projectId, viewerId: context.viewerId, isNegated: false }
  const { test } = resolveCondition(condition, context)
  const parts = listParts(test).map(part => ({ part, places: new Set(listPlaces(part)) }))
  const listIn = (wanted: (places: Set<Place>) => boolean) =>
    parts.filter(({ places }) => wanted(places)).map(({ part }) => part)
  const printed = (side: Side, wanted: (places: Set<Place>) => boolean) =>
    listIn(wanted).map(part => print(query, part, side))
  const ofTicket = listIn(places => places.has('own') && !places.has('activity')).map(part => ({
    sql: print(query, part, 't'),
    isChecked: !isNarrowing(part),
  }))
  const ofBoth = printed('t', places => places.has('own') && places.has('activity'))
  return {
    copied: side => printed(side, places => !places.has('own') && !places.has('activity')),
    // A part that reads both tables is checked with the activity; `true` makes the list join the tickets.
    own: [...ofTicket.map(one => one.sql), ...(ofBoth.length ? [sql`true`] : [])],
    checked: ofTicket.filter(({ isChecked }) => isChecked).map(one => one.sql),
    activity: [...printed('a', places => !places.has('own') && places.has('activity')), ...ofBoth],
    namesSpam: namesSpam(test),
  }
}
