import { asList } from '../core/objects.ts'
import { findPlaces, type Group } from '../words/words.ts'
import type { PlainField } from './fields.ts'
import { foldShortText } from './folded.ts'
import {
  type Comparison,
  type ConditionContext,
  type FieldName,
  resolveCondition,
  type Test,
} from './resolve.ts'
import type { Condition } from './schema.ts'
import type { TimeRange } from './times.ts'

/** Evaluates a condition for one ticket, from facts alone. Lists of tickets give the same result in SQL. */

/** Everything about a ticket that conditions can refer to. Times are as in the API. */
export interface TicketFacts {
  subject: string
  status: string
  priority: string
  channel: string
  department_id: string | null
  operator_id: string | null
  contact_id: string
  organization_id: string | null
  tags: string[]
  custom_fields: Record<string, unknown>
  created_at: string
  last_message_at: string | null
  waiting_since: string | null
  closed_at: string | null
  rated_at: string | null
  snoozed_until: string | null
  rating: number | null
  messages_count: number
  is_unread: boolean
  is_spam: boolean
  is_merged: boolean
  has_files: boolean
  /** The searchable texts of each message. */
  messages: string[][]
  contact: { name: string | null; email: string | null; custom_fields: Record<string, unknown> }
}

const domainOf = (email: string | null): string | null =>
  email?.includes('@') ? email.slice(email.indexOf('@') + 1) : null

function readPlain(name: PlainField, facts: TicketFacts): unknown {
  if (name === 'contact.name') return facts.contact.name
  if (name === 'contact.email_domain') return domainOf(facts.contact.email)
  if (name === 'message') return facts.messages
  return name === 'is_snoozed' ? facts.snoozed_until !== null : facts[name]
}

function readCustom(field: FieldName, facts: TicketFacts): unknown {
  if ('plain' in field) return readPlain(field.plain, facts)
  const { record, key } = field.custom
  const values = record === 'contact' ? facts.contact.custom_fields : facts.custom_fields
  return Object.hasOwn(values, key) ? values[key] : null
}

const isDay = (value: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(value)

/** The value of a field; null if it is missing, or has the wrong type for its kind. */
function readFact(field: FieldName, facts: TicketFacts): unknown {
  const value = readCustom(field, facts) ?? null
  if ('plain' in field) return value === '' ? null : value
  const { kind } = field
  if (kind === 'number') return typeof value === 'number' ? value : null
  if (kind === 'flag') return typeof value === 'boolean' ? value : null
  if (typeof value !== 'string' || value === '') return null
  return kind === 'date' && !isDay(value) ? null : value
}

const everyOrSome = <T>(isEach: boolean, list: T[], holds: (one: T) => boolean): boolean =>
  isEach ? list.every(holds) : list.some(holds)

const isIn = ({ from, until }: TimeRange, value: string): boolean =>
  (from === null || value >= from) && (until === null || value < until)

const hasGroup = (texts: readonly unknown[], group: Group): boolean =>
  texts.some(text => findPlaces([group], String(text)).length > 0)

const areWithin = (comparison: Comparison & { test: 'limits' }, value: number): boolean => {
  const { above, below, isInclusive } = comparison
  if (isInclusive) return value >= above! && value <= below!
  return (above === null || value > above) && (below === null || value < below)
}

type InText = Comparison & { test: 'patterns' | 'text' }

function isInText(comparison: InText, value: unknown): boolean {
  if (typeof value !== 'string') return false
  const folded = foldShortText(value)
  if (comparison.test === 'text')
    return comparison.isWhole ? folded === comparison.text : folded.startsWith(comparison.text)
  return everyOrSome(comparison.isEach, comparison.patterns, ({ pattern }) =>
    new RegExp(pattern).test(folded),
  )
}

type InList = Comparison & { test: 'tags' | 'words' }

/** The tags of the ticket, or the texts of its messages. Words must be in the same message. */
function isInList(comparison: InList, value: unknown): boolean {
  const list = asList(value)
  if (comparison.test === 'tags')
    return everyOrSome(comparison.isEach, comparison.spellings, names =>
      names.some(name => list.includes(name)),
    )
  const { groups, isEach } = comparison
  return (
    groups.length > 0 &&
    list.some(texts => everyOrSome(isEach, groups, group => hasGroup(asList(texts), group)))
  )
}

function matches(comparison: Comparison, value: unknown): boolean {
  switch (comparison.test) {
    case 'among':
      return value === null ? comparison.hasNull : comparison.values.some(one => one === value)
    case 'tags':
    case 'words':
      return isInList(comparison, value)
    case 'patterns':
    case 'text':
      return isInText(comparison, value)
    case 'range':
      return typeof value === 'string' && isIn(comparison.range, value)
    case 'numbers':
      return comparison.values.some(one => one === value)
    case 'limits':
      return typeof value === 'number' && areWithin(comparison, value)
    case 'flag':
      return comparison.value === value
    case 'empty':
      return value === null || (Array.isArray(value) && value.length === 0)
  }
}

function isTrue(test: Test, facts: TicketFacts): boolean {
  if (test === null) return false
  if (test.join === 'all') return test.of.every(one => isTrue(one, facts))
  if (test.join !== null) return test.of.some(one => isTrue(one, facts)) === (test.join === 'any')
  const { comparison, field, isNegated } = test
  return matches(comparison, readFact(field, facts)) !== isNegated
}

export const evaluateCondition = (
  condition: Condition,
  facts: TicketFacts,
  context: ConditionContext,
): boolean => isTrue(resolveCondition(condition, context).test, facts)
