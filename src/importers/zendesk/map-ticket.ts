import { isOneOf, propertyOf } from '../../core/objects.ts'
import type { CustomField } from '../../custom-fields/schema.ts'
import type { ImportedTicket } from '../../imports/schema.ts'
import type { UnmappedItem } from '../importer.ts'
import { mapCustomValues } from './custom-values.ts'
import { cleanTags, cut, isAgent } from './map-user.ts'
import type { ZendeskField, ZendeskMetric, ZendeskTicket, ZendeskUser } from './records.ts'

/** Converts a Zendesk ticket. */

const statuses: Record<string, ImportedTicket['status']> = {
  new: 'new',
  open: 'open',
  pending: 'pending',
  hold: 'on_hold',
  solved: 'closed',
  closed: 'closed',
}

const priorities = ['low', 'normal', 'high', 'urgent'] as const

const scores: Record<string, number> = { good: 5, bad: 1 }

/** Records to which other Zendesk records refer by id. */
export interface ZendeskNames {
  groups: Map<number, string>
  fields: Map<number, ZendeskField>
  agents: Map<number, ZendeskUser>
  /** The custom fields of tickets in the project. */
  targets: CustomField[]
}

export interface MappedTicket {
  ticket: ImportedTicket
  unmapped: UnmappedItem[]
}

/** Returns null for a status that Zendesk does not document, and for deleted tickets. */
export const statusOf = ({ status }: ZendeskTicket): ImportedTicket['status'] | null =>
  statuses[status] ?? null

const unmapped = (field: string, value: unknown): UnmappedItem[] =>
  value ? [{ kind: 'unmapped', field, value: String(value), reason: 'no_counterpart' }] : []

/** The ticket that this one follows up; null if there is none. */
function findFollowed({ via }: ZendeskTicket): string | null {
  const from = propertyOf(via?.source, 'from')
  const id = propertyOf(from, 'ticket_id')
  return propertyOf(via?.source, 'rel') === 'follow_up' && typeof id === 'number' ? String(id) : null
}

function mapOutcome(ticket: ZendeskTicket, metric: ZendeskMetric | undefined): Partial<ImportedTicket> {
  const { score, comment } = ticket.satisfaction_rating ?? {}
  const rating = scores[score ?? '']
  const closed_at = metric?.solved_at ?? ticket.updated_at
  return {
    ...(statusOf(ticket) === 'closed' && closed_at && { closed_at }),
    ...(metric?.reopens && { reopened_count: metric.reopens }),
    ...(rating && { rating, rating_comment: cut(comment, 2_000) }),
  }
}

function mapPeople(
  { assignee_id, group_id, email_cc_ids }: ZendeskTicket,
  users: Map<number, ZendeskUser>,
  { groups, agents }: ZendeskNames,
): Partial<ImportedTicket> {
  const assignee = agents.get(assignee_id ?? 0)
  const participants = (email_cc_ids ?? []).flatMap(id => {
    const { email, name } = users.get(id) ?? {}
    return email ? [{ address: email, name: cut(name) }] : []
  })
  return {
    operator: assignee ? { email: assignee.email ?? null, name: cut(assignee.name) } : null,
    department: cut(groups.get(group_id ?? 0)),
    participants: participants.slice(0, 100),
  }
}

export function mapTicket(
  ticket: ZendeskTicket,
  users: Map<number, ZendeskUser>,
  metric: ZendeskMetric | undefined,
  names: ZendeskNames,
): MappedTicket {
  const custom = mapCustomValues(ticket, names.fields, names.targets)
  const channel = ticket.via?.channel
  return {
    ticket: {
      source_id: String(ticket.id),
      number: ticket.id,
      subject: cut(ticket.subject),
      status: statusOf(ticket) ?? 'closed',
      priority: isOneOf(ticket.priority, priorities) ? ticket.priority : 'normal',
      channel: channel === 'email' ? 'email' : 'api',
      contact: String(ticket.requester_id),
      tags: cleanTags(ticket.tags),
      custom_fields: custom.values,
      external_id: cut(ticket.external_id),
      follow_up_of: findFollowed(ticket),
      ...mapPeople(ticket, users, names),
      ...mapOutcome(ticket, metric),
      created_at: ticket.created_at,
      ...(ticket.updated_at && { updated_at: ticket.updated_at }),
    },
    unmapped: [
      ...custom.unmapped,
      ...unmapped('type', ticket.type),
      ...(channel === 'email' ? [] : unmapped('via.channel', channel)),
    ],
  }
}

/** Agents are users who work in Zendesk. Everybody else becomes a contact. */
export const listCustomers = (users: Iterable<ZendeskUser>): ZendeskUser[] =>
  [...users].filter(one => !isAgent(one))
