import type { Fragment, Sql } from '../core/db/db.ts'
import type { ChangedBy } from '../events/ticket-history.ts'
import type { Tx } from '../events/transaction.ts'
import type { Identity } from './identity-queries.ts'
import type { IdentityVisitor } from './identity-schema.ts'

/** What identities lead to: browsers, channels, and the tickets in which they were used. */

export async function hasCustomChannel(sql: Sql, projectId: string, id: string): Promise<boolean> {
  const { count } = await sql`select from custom_channels where project_id = ${projectId} and id = ${id}`
  return count > 0
}

/** Includes the browsers of contacts that were merged into this one. */
const isOfContact = (sql: Sql, projectId: string, contactId: string): Fragment =>
  sql`(v.contact_id = ${contactId} or v.contact_id in (
    select id from contacts where project_id = ${projectId} and merged_into_id = ${contactId}))`

export const listVisitors = (sql: Sql, projectId: string, contactId: string) => sql<IdentityVisitor[]>`
  select v.id, v.is_verified, v.surface, v.created_at, v.seen_at from visitors v
  where v.project_id = ${projectId} and ${isOfContact(sql, projectId, contactId)}
  order by v.seen_at desc limit 20`

export async function deleteVisitor(tx: Tx, contactId: string, id: string): Promise<boolean> {
  const { count } = await tx`
    delete from visitors v
    where v.project_id = ${tx.projectId} and v.id = ${id} and ${isOfContact(tx, tx.projectId, contactId)}`
  return count > 0
}

/** Whether message `m` of a contact came from this identity. */
function isFrom(sql: Sql, projectId: string, { type, value }: Identity): Fragment {
  if (type === 'email') return sql`(m.email is not null and lower(m.email->>'from') = ${value.toLowerCase()})`
  if (type === 'telegram')
    return sql`exists (select from telegram_messages x
      join telegram_chats c on c.project_id = ${projectId} and c.id = x.chat_id
      where x.project_id = ${projectId} and x.message_id = m.id and c.chat_id = ${value}::text::bigint)`
  if (type === 'channel')
    return sql`exists (select from custom_messages x where x.project_id = ${projectId} and x.message_id = m.id
      and x.channel_id = ${value.slice(0, 36)}::text::uuid and x.contact_external_id = ${value.slice(37)})`
  return sql`false`
}

/** The tickets of a contact in which it used this identity: `is_shared` if it also used others. */
export const listTicketsOfIdentity = (
  sql: Sql,
  projectId: string,
  contactId: string,
  identity: Identity,
) => sql<{ id: string; is_shared: boolean }[]>`
  select t.id, not bool_and(${isFrom(sql, projectId, identity)}) as is_shared
  from tickets t
  join messages m on m.project_id = ${projectId} and m.ticket_id = t.id and m.sender_type = 'contact'
  where t.project_id = ${projectId} and t.contact_id = ${contactId}
  group by t.id having bool_or(${isFrom(sql, projectId, identity)})
  order by t.id`

/** The Telegram chat with a person has the id of the person's account. Chats are locked before identities. */
export const updateChatsOfIdentity = (tx: Tx, from: string, to: string, value: string) => tx`
  update telegram_chats set contact_id = ${to}
  where project_id = ${tx.projectId} and contact_id = ${from} and chat_id = ${value}::text::bigint`

export const insertTicketMoves = (tx: Tx, by: ChangedBy, from: string, to: string, ids: string[]) => tx`
  insert into contact_ticket_moves (project_id, ticket_id, from_id, to_id, cause, moved_by)
  select ${tx.projectId}, id, ${from}, ${to}, 'identity_moved', ${JSON.stringify(by)}::text::jsonb from unnest(${ids}::uuid[]) as t (id)
  on conflict (project_id, ticket_id) do update set from_id = excluded.from_id, to_id = excluded.to_id,
    cause = excluded.cause, written_after = null, moved_by = excluded.moved_by`
