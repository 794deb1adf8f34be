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
export interface Owner {
  id: string
  contact_id: string
  /** Who began it in the widget, as `beginnerOf` says. */
  visitor_id: string | null
  merged_into_id: string | null
  /** Whether nobody has proved that it is its contact's, as `typedOnly` says. */
  is_typed: boolean
  contact_identity: ContactIdentity | null
  /** Whether its contact is blocked, whoever looks. */
  is_blocked: boolean
}

/** What decides who is told of a ticket. */
export type Whose = Omit<Owner, 'is_blocked' | 'contact_identity'>

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
 * Who began ticket `t` of the widget, `w`. Nobody has when what somebody else wrote was merged into it: whoever types the
 * address of a contact begins a ticket of that contact, and would be shown its others.
 */
export const beginnerOf = (sql: Sql): Fragment =>
  sql`case when not exists (
    ${merged(sql)} select from merged m left join widget_tickets b on b.project_id = t.project_id and b.ticket_id = m.id
    where b.visitor_id is distinct from w.visitor_id) then w.visitor_id end` as Fragment

/** A condition for tickets `t` with `w`, where they were begun. */
export const seenBy = (sql: Sql, { id, contact_id, is_verified, ticket_id }: Looking): Fragment => {
  if (ticket_id !== null)
    return sql`t.merged_into_id is null and t.id = ${ticket_id} and t.contact_id = ${contact_id}` as Fragment
  const own = sql`w.visitor_id = ${id} and ${beginnerOf(sql)} is not null` as Fragment
  return is_verified
    ? (sql`t.merged_into_id is null and ((t.contact_id = ${contact_id} and not ${typedOnly(sql)}) or ${own})` as Fragment)
    : (sql`t.merged_into_id is null and ${own}` as Fragment)
}

/** The same of a ticket that is in hand. */
export function isSeenBy({ id, contact_id, is_verified, ticket_id }: Looking, owner: Whose): boolean {
  if (owner.merged_into_id !== null) return false
  if (ticket_id !== null) return owner.id === ticket_id && owner.contact_id === contact_id
  return owner.visitor_id === id || (is_verified && owner.contact_id === contact_id && !owner.is_typed)
}

export const actorOf = (visitor: Visitor, contactId = visitor.contact_id): ContactActor => ({
  type: 'contact',
  id: contactId ?? visitor.id,
  name: visitor.name ?? visitor.email,
  visitor_id: visitor.id,
})

/** The visitor writes as the contact whose ticket it is. */
export const callerOf = (
  { project }: Pick<Caller, 'project'>,
  visitor: Visitor,
  contactId: string,
): Caller => ({
  project,
  actor: actorOf(visitor, contactId),
})

/** What a visitor writes is proved where it is the contact's own ticket; else it is worth no more than the ticket. */
export const identityIn = (
  { is_verified, contact_id }: Looking,
  owner: Pick<Owner, 'contact_id' | 'contact_identity'>,
): ContactIdentity => {
  if (is_verified && contact_id === owner.contact_id) return 'proved'
  return owner.contact_identity === 'none' ? 'none' : 'typed'
}
