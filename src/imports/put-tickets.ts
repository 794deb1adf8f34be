import { now, parseTime, toDatabase } from '../core/time.ts'
import { indexedTickets } from '../tickets/tickets.ts'
import { isKnownChannel } from './channels.ts'
import type { CheckedFields } from './custom-values.ts'
import { temporaryNumber } from './number-tickets.ts'
import type { FindDepartment, FindOperator } from './people.ts'
import type { PreparedTicket } from './prepare-tickets.ts'
import type { ItemReport } from './report.ts'
import type { ActivityRow, NewTicketRow } from './ticket-queries.ts'

/** Builds the rows of imported tickets. */

export interface TicketToPut {
  prepared: PreparedTicket
  report: ItemReport
}

/** What the rows of tickets depend on. */
export interface TicketLookups {
  /** The id of a contact, by its id in the other system. */
  contactIds: ReadonlyMap<string, string>
  /** The id of a ticket, by its id in the other system. */
  ticketIds: ReadonlyMap<string, string>
  findOperator: FindOperator
  findDepartment: FindDepartment
  check: CheckedFields
  spellTags(tags: string[]): string[]
}

export const contactSourceId = ({ item }: PreparedTicket): string =>
  typeof item.contact === 'string' ? item.contact : item.contact.source_id

function assigneeOf(
  { prepared: { item }, report }: TicketToPut,
  { findOperator }: TicketLookups,
): string | null {
  if (!item.operator) return null
  const operator = findOperator(item.operator)
  if (operator && !operator.has_left) return operator.id
  const { email, id, name } = item.operator
  report.warn('operator', email ?? id ?? name ?? null, 'unknown_operator')
  return null
}

function departmentOf({ prepared: { item }, report }: TicketToPut, { findDepartment }: TicketLookups) {
  const id = item.department ? findDepartment(item.department) : null
  if (item.department && id === null) report.warn('department', item.department, 'unknown_department')
  return id
}

function channelOf({ prepared: { item }, report }: TicketToPut): string {
  const { channel = 'api' } = item
  if (isKnownChannel(channel)) return channel
  report.warn('channel', channel, 'unknown_channel')
  return 'api'
}

function otherTicket(
  { prepared: { item }, report }: TicketToPut,
  field: 'merged_into' | 'follow_up_of',
  { ticketIds }: TicketLookups,
): string | null {
  const sourceId = item[field]
  const id = sourceId && sourceId !== item.source_id ? (ticketIds.get(sourceId) ?? null) : null
  if (sourceId && id === null && field === 'follow_up_of') report.warn(field, sourceId, 'not_found')
  return id
}

function snoozeOf({ prepared: { item }, report }: TicketToPut): string | null {
  const until = item.snoozed_until ? parseTime(item.snoozed_until) : null
  if (until === null || item.status === 'closed') return null
  if (until > now()) return toDatabase(until)
  report.warn('snoozed_until', item.snoozed_until, 'past')
  return null
}

const latest = (...times: (string | null | undefined)[]): string =>
  times
    .filter(time => typeof time === 'string')
    .sort()
    .at(-1)!

/** A merged ticket is closed. Lists rely on the rule that no ticket is closed before it was created. */
function closingOf({ prepared }: TicketToPut, { findOperator }: TicketLookups) {
  const { item, times, messages } = prepared
  const isClosed = item.status === 'closed' || Boolean(item.merged_into)
  if (!isClosed) return { status: item.status, closed_at: null, closed_by: null, resolution_secs: null }
  const created = times.created_at!
  const lastMessage = latest(created, ...messages.map(one => (one.problem ? null : one.created_at)))
  const closed = latest(created, times.closed_at ?? lastMessage)
  const seconds = Math.floor((Date.parse(`${closed}Z`) - Date.parse(`${created}Z`)) / 1_000)
  const { closed_by } = item
  const id = closed_by?.type === 'operator' ? (findOperator(closed_by)?.id ?? null) : null
  return {
    status: 'closed',
    closed_at: toDatabase(closed),
    closed_by: closed_by ? { type: closed_by.type, id } : null,
    resolution_secs: item.resolution_secs ?? Math.min(seconds, 2_147_483_647),
  }
}

export function toTicketRow(one: TicketToPut, id: string, context: TicketLookups): NewTicketRow {
  const { item, times, subject } = one.prepared
  const custom_fields = context.check(item.custom_fields ?? {}, one.report)
  return {
    id,
    number: temporaryNumber(id),
    subject,
    priority: item.priority ?? 'normal',
    channel: channelOf(one),
    contact_id: context.contactIds.get(contactSourceId(one.prepared))!,
    contact_identity: item.contact_identity ?? null,
    operator_id: assigneeOf(one, context),
    department_id: departmentOf(one, context),
    tags: context.spellTags(item.tags ?? []),
    custom_fields,
    external_id: item.external_id ?? null,
    is_spam: item.is_spam ?? false,
    language: item.language ?? null,
    rating: item.rating ?? null,
    rating_comment: item.rating_comment ?? null,
    // Every rated ticket has `rated_at`.
    rated_at: item.rating ? toDatabase(times.rated_at ?? times.created_at!) : null,
    snoozed_until: snoozeOf(one),
    ...closingOf(one, context),
    reopened_count: item.reopened_count ?? 0,
    merged_into_id: otherTicket(one, 'merged_into', context),
    follow_up_of_id: otherTicket(one, 'follow_up_of', context),
    created_at: toDatabase(times.created_at!),
    search: indexedTickets.printIndex({ subject, custom_fields }),
  }
}

const givenTimes = [
  'updated_at',
  'first_reply_at',
  'first_bot_reply_at',
  'last_contact_message_at',
  'last_operator_message_at',
  'waiting_since',
] as const

/** Times that are given replace those that are computed from the messages. */
export function toActivityRow(
  { prepared: { times } }: TicketToPut,
  { created_at, closed_at, rated_at, merged_into_id }: NewTicketRow,
  caused: ActivityRow,
): ActivityRow {
  const given = givenTimes.flatMap(field => {
    const time = times[field]
    return time === null ? [] : [[field, toDatabase(time)] as const]
  })
  const changes = [created_at, closed_at, rated_at, caused.updated_at].filter(time => time !== '-infinity')
  return {
    ...caused,
    updated_at: latest(...changes),
    ...Object.fromEntries(given),
    is_merged: merged_into_id !== null,
  }
}
