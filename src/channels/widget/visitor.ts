import type { Fragment, Sql } from '../../core/db/db.ts'
import type { Caller, ContactActor } from '../../core/endpoint.ts'
import { ApiError } from '../../core/errors.ts'
import type { ContactIdentity } from '../../messages/schema.ts'

/** Which tickets a visitor may see. Defined only here: as SQL conditions, and as a function for the stream. */

export interface Visitor {
  id: string
  /** The contact, after merges. */
  contact_id: string | null
  is_identified: boolean
  is_verified: boolean
  /** The only ticket that the visitor may see, if the visitor came by an open_url. */
  ticket_id: string | null
  locale: string | null
  page_url: string | null
  surface: 'widget' | 'page'
  /** The contact's name, only for visitors who are proved to be the contact. */
  name: string | null
  email: string | null
  is_blocked: boolean
  /** The end of the project's log at that time. */
  last_seq: number
}

/** The owner of a ticket. */
export interface TicketOwner {
  id: string
  contact_id: string
  /** The visitor who started it in the widget. */
  visitor_id: string | null
  /** Whether a ticket that another person started was merged into it. The visitor who started this one must not see that part. */
  is_divided: boolean
  /** A divided ticket is sent twice: to visitors who may see all of it, and to the one who started it. */
  view?: 'all' | 'own'
  merged_into_id: string | null
  /** Whether the contact has not been proved: see `typedOnly`. */
  is_typed: boolean
  contact_identity: ContactIdentity | null
  /** Whether its contact is blocked. */
  is_blocked: boolean
}

/** The fields that decide who may see a ticket. */
export type TicketAudience = Omit<TicketOwner, 'is_blocked' | 'contact_identity'>

type Looking = Pick<Visitor, 'id' | 'contact_id' | 'is_verified' | 'ticket_id'>

/** The CTE `merged`: all tickets that were merged into ticket `t`, directly or indirectly. */
const merged = (sql: Sql, projectId: string): Fragment =>
  sql`with recursive merged as (
      select s.id, s.contact_identity from tickets s where s.project_id = ${projectId} and s.merged_into_id = t.id
      union
      select s.id, s.contact_identity
      from merged m join tickets s on s.project_id = ${projectId} and s.merged_into_id = m.id
    )`

/**
 * Whether ticket `t` was started by a visitor who named its contact without proof, and contains nothing else. So it may belong to
 * another person.
 */
export const typedOnly = (sql: Sql, projectId: string): Fragment =>
  sql`(t.contact_identity is not distinct from 'typed' and not exists (
    ${merged(sql, projectId)} select from merged where contact_identity is distinct from 'typed'))`

/**
 * Whether a ticket that another person started was merged into ticket `t` of the widget (`w`). Anyone who types a contact's
 * address starts a ticket of that contact, and must not see the contact's other tickets.
 */
export const isDivided = (sql: Sql, projectId: string): Fragment =>
  sql`(w.visitor_id is not null and exists (
    ${merged(sql, projectId)} select from merged m left join widget_tickets b on b.project_id = ${projectId} and b.ticket_id = m.id
    where b.visitor_id is distinct from w.visitor_id))`

/** Whether ticket `t` is proved to belong to the contact. */
const ofContact = (sql: Sql, projectId: string, contactId: string | null): Fragment =>
  sql`(t.contact_id = ${contactId} and not ${typedOnly(sql, projectId)})`

/** The tickets `t` that the visitor may see, with `w`, which says who started them. */
export const seenBy = (
  sql: Sql,
  projectId: string,
  { id, contact_id, is_verified, ticket_id }: Looking,
): Fragment => {
  if (ticket_id !== null)
    return sql`t.merged_into_id is null and t.id = ${ticket_id} and t.contact_id = ${contact_id}`
  const own = sql`w.visitor_id = ${id}`
  return is_verified
    ? sql`t.merged_into_id is null and (${ofContact(sql, projectId, contact_id)} or ${own})`
    : sql`t.merged_into_id is null and ${own}`
}

/** Whether message `m` was written in a ticket of the same visitor who started its current ticket (`w`). */
export const ownPart = (sql: Sql, projectId: string): Fragment =>
  sql`(m.origin_ticket_id is null or exists (select from widget_tickets b
    where b.project_id = ${projectId} and b.ticket_id = m.origin_ticket_id and b.visitor_id = w.visitor_id))`

/** The messages `m` of a ticket `t` with `w` that the visitor may see. A visitor who only started the ticket does not see the parts of others. */
export const partSeenBy = (
  sql: Sql,
  projectId: string,
  { contact_id, is_verified, ticket_id }: Looking,
): Fragment => {
  if (ticket_id !== null) return sql`true`
  // This order is fastest, because few messages were moved from another ticket.
  return is_verified
    ? sql`(m.origin_ticket_id is null or ${ownPart(sql, projectId)} or ${ofContact(sql, projectId, contact_id)})`
    : ownPart(sql, projectId)
}

const seesAll = ({ contact_id, is_verified, ticket_id }: Looking, owner: TicketAudience): boolean =>
  ticket_id !== null
    ? owner.id === ticket_id && owner.contact_id === contact_id
    : is_verified && owner.contact_id === contact_id && !owner.is_typed

/** The same for a ticket that is already loaded. */
export function isSeenBy(looking: Looking, owner: TicketAudience): boolean {
  if (owner.merged_into_id !== null) return false
  const all = seesAll(looking, owner)
  if (owner.view === 'all') return all
  const began = looking.ticket_id === null && owner.visitor_id === looking.id
  return owner.view === 'own' ? began && !all : began || all
}

export const actorOf = (visitor: Visitor, contactId = visitor.contact_id): ContactActor => ({
  type: 'contact',
  id: contactId ?? visitor.id,
  name: visitor.name ?? visitor.email,
  visitor_id: visitor.id,
})

/** The visitor writes as the contact of the ticket. */
export const visitorCaller = (
  { project }: Pick<Caller, 'project'>,
  visitor: Visitor,
  contactId: string,
): Caller => ({
  project,
  actor: actorOf(visitor, contactId),
})

/**
 * A visitor's message is `proved` if the visitor is proved to be the contact. Otherwise it is `typed`, or `none` if the ticket is
 * `none`.
 */
export const messageIdentityOf = (
  { is_verified, contact_id }: Looking,
  owner: Pick<TicketOwner, 'contact_id' | 'contact_identity'>,
): ContactIdentity => {
  if (is_verified && contact_id === owner.contact_id) return 'proved'
  return owner.contact_identity === 'none' ? 'none' : 'typed'
}

export function requireUnblocked({ is_blocked }: Pick<Visitor, 'is_blocked'>): void {
  if (is_blocked) throw new ApiError('VISITOR_BLOCKED')
}
