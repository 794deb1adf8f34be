import type { Fragment, Sql } from '../../core/db.ts'
import type { Caller, ContactActor } from '../../core/endpoint.ts'
import type { ContactIdentity } from '../../messages/schema.ts'

/** Who looks into the chat, and which tickets that is allowed to see: said once, for the database and for the stream. */

export interface Visitor {
  id: string
  /** The contact as it is called now, whatever it was merged into. */
  contact_id: string | null
  is_identified: boolean
  is_verified: boolean
  /** All that a visitor sees whom an open_url let in. */
  ticket_id: string | null
  locale: string | null
  page_url: string | null
  surface: 'widget' | 'page'
  /** What is known of a contact is for whoever has proved to be it. */
  name: string | null
  email: string | null
  is_blocked: boolean
  /** Where the log of its project stood. */
  last_seq: number
}

/** Whose a ticket is. */
export interface TicketOwner {
  id: string
  contact_id: string
  /** Who began it in the widget. */
  visitor_id: string | null
  /** Whether something was merged into it that somebody else began: to who began it, that is not shown. */
  is_divided: boolean
  /** Of a divided ticket that is told twice: to those who see all of it, or to who began it. */
  view?: 'all' | 'own'
  merged_into_id: string | null
  /** Whether nobody has proved that it is its contact's, as `typedOnly` says. */
  is_typed: boolean
  contact_identity: ContactIdentity | null
  /** Whether its contact is blocked, whoever looks. */
  is_blocked: boolean
}

/** What decides who is told of a ticket. */
export type TicketAudience = Omit<TicketOwner, 'is_blocked' | 'contact_identity'>

type Looking = Pick<Visitor, 'id' | 'contact_id' | 'is_verified' | 'ticket_id'>

/** What was merged into ticket `t`, and into that: `merged`. */
const merged = (sql: Sql): Fragment =>
  sql`with recursive merged as (
      select s.id, s.contact_identity from tickets s where s.project_id = t.project_id and s.merged_into_id = t.id
      union
      select s.id, s.contact_identity
      from merged m join tickets s on s.project_id = t.project_id and s.merged_into_id = m.id
    )` as Fragment

/**
 * Ticket `t` was begun by somebody who named its contact without proof, and nothing else is in it: it may be anybody's.
 */
export const typedOnly = (sql: Sql): Fragment =>
  sql`(t.contact_identity is not distinct from 'typed' and not exists (
    ${merged(sql)} select from merged where contact_identity is distinct from 'typed'))` as Fragment

/**
 * Whether something that somebody else began was merged into ticket `t` of the widget, `w`. Whoever types the address of a
 * contact begins a ticket of that contact, and must not be shown its others.
 */
export const isDivided = (sql: Sql): Fragment =>
  sql`(w.visitor_id is not null and exists (
    ${merged(sql)} select from merged m left join widget_tickets b on b.project_id = t.project_id and b.ticket_id = m.id
    where b.visitor_id is distinct from w.visitor_id))` as Fragment

/** Ticket `t` is the contact's own, and proved to be. */
const ofContact = (sql: Sql, contactId: string | null): Fragment =>
  sql`(t.contact_id = ${contactId} and not ${typedOnly(sql)})` as Fragment

/** A condition for tickets `t` with `w`, where they were begun. */
export const seenBy = (sql: Sql, { id, contact_id, is_verified, ticket_id }: Looking): Fragment => {
  if (ticket_id !== null)
    return sql`t.merged_into_id is null and t.id = ${ticket_id} and t.contact_id = ${contact_id}` as Fragment
  const own = sql`w.visitor_id = ${id}` as Fragment
  return is_verified
    ? (sql`t.merged_into_id is null and (${ofContact(sql, contact_id)} or ${own})` as Fragment)
    : (sql`t.merged_into_id is null and ${own}` as Fragment)
}

/** Message `m` was written in a ticket that was begun by who began its ticket, `w`. */
export const ownPart = (sql: Sql): Fragment =>
  sql`(m.origin_ticket_id is null or exists (select from widget_tickets b
    where b.project_id = m.project_id and b.ticket_id = m.origin_ticket_id and b.visitor_id = w.visitor_id))` as Fragment

/** A condition for messages `m` of a ticket `t` with `w` that the visitor sees: whoever only began it sees no others' part. */
export const partSeenBy = (sql: Sql, { contact_id, is_verified, ticket_id }: Looking): Fragment => {
  if (ticket_id !== null) return sql`true` as Fragment
  // In this order: few messages have come from another ticket.
  return is_verified
    ? (sql`(m.origin_ticket_id is null or ${ownPart(sql)} or ${ofContact(sql, contact_id)})` as Fragment)
    : ownPart(sql)
}

const seesAll = ({ contact_id, is_verified, ticket_id }: Looking, owner: TicketAudience): boolean =>
  ticket_id !== null
    ? owner.id === ticket_id && owner.contact_id === contact_id
    : is_verified && owner.contact_id === contact_id && !owner.is_typed

/** The same of a ticket that is in hand. */
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

/** The visitor writes as the contact whose ticket it is. */
export const visitorCaller = (
  { project }: Pick<Caller, 'project'>,
  visitor: Visitor,
  contactId: string,
): Caller => ({
  project,
  actor: actorOf(visitor, contactId),
})

/** What a visitor writes is proved where it is the contact's own ticket; else it is worth no more than the ticket. */
export const messageIdentityOf = (
  { is_verified, contact_id }: Looking,
  owner: Pick<TicketOwner, 'contact_id' | 'contact_identity'>,
): ContactIdentity => {
  if (is_verified && contact_id === owner.contact_id) return 'proved'
  return owner.contact_identity === 'none' ? 'none' : 'typed'
}
