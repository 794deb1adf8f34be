import type { Fragment, Sql } from '../../core/db/db.ts'
import type { Messenger } from './messenger.ts'

/** Statements about the messages of messengers, which map them to the ids that they have there. */

/** Keeps the account from being deleted until the transaction ends. Returns false if it has already been deleted. */
export async function lockAccountInUse(
  sql: Sql,
  { accounts }: Messenger,
  projectId: string,
  id: string,
): Promise<boolean> {
  const { count } = await sql`
    select from ${sql(accounts)} where project_id = ${projectId} and id = ${id} for key share`
  return count > 0
}

export interface FoundChannelMessage {
  message_id: string
  ticket_id: string
  contact_external_id: string
  is_received: boolean
}

export async function findChannelMessage(
  sql: Sql,
  { messages }: Messenger,
  projectId: string,
  accountId: string,
  externalId: string,
): Promise<FoundChannelMessage | null> {
  const [row] = await sql<FoundChannelMessage[]>`
    select c.message_id, m.ticket_id, c.contact_external_id, c.is_received from ${sql(messages)} c
      join messages m on m.project_id = ${projectId} and m.id = c.message_id
    where c.project_id = ${projectId} and c.channel_id = ${accountId} and c.external_id = ${externalId}`
  return row ?? null
}

export interface ReceivedChannelMessage {
  message_id: string
  channel_id: string
  contact_external_id: string
  external_id: string
}

/** Returns false if the account already has a message with this external id. */
export async function insertReceived(
  sql: Sql,
  { messages }: Messenger,
  projectId: string,
  message: ReceivedChannelMessage,
): Promise<boolean> {
  const { count } = await sql`
    insert into ${sql(messages)} (project_id, message_id, channel_id, contact_external_id, external_id, is_received)
    values (${projectId}, ${message.message_id}, ${message.channel_id}, ${message.contact_external_id}, ${message.external_id}, true)
    on conflict (project_id, channel_id, external_id) do nothing`
  return count > 0
}

/** The ticket of the newest message to or from a contact, and the time of the newest message from the contact. */
export interface Conversation {
  ticket_id: string | null
  last_received_at: string | null
}

export async function findConversation(
  sql: Sql,
  { messages }: Messenger,
  projectId: string,
  accountId: string,
  contactExternalId: string,
): Promise<Conversation> {
  const newest = sql`
    from ${sql(messages)} c join messages m on m.project_id = ${projectId} and m.id = c.message_id
    where c.project_id = ${projectId} and c.channel_id = ${accountId} and c.contact_external_id = ${contactExternalId}`
  const [row] = await sql<Conversation[]>`
    select (select m.ticket_id ${newest} order by c.message_id desc limit 1) as ticket_id,
      (select m.created_at ${newest} and c.is_received order by c.message_id desc limit 1) as last_received_at`
  return row!
}

/** Where a reply in a ticket goes: the account, and the contact's id in the messenger. */
export interface Recipient {
  channel_id: string
  contact_external_id: string
}

/**
 * The person who last wrote in the ticket through one of the accounts `a`, otherwise the oldest identity of the ticket's contact in one of
 * them. Null if the account was deleted, or the contact has never written to it. Keeps the account from being deleted until the transaction
 * ends.
 */
export async function findChannelRecipient(
  sql: Sql,
  { accounts, messages }: Messenger,
  projectId: string,
  ticketId: string,
  isAccount: Fragment,
): Promise<Recipient | null> {
  const [row] = await sql<Recipient[]>`
    select a.id as channel_id, coalesce(newest.contact_external_id, known.external_id) as contact_external_id
    from ${sql(accounts)} a
      left join lateral (
        select r.contact_external_id, m.created_at, m.id from messages m
          join ${sql(messages)} r on r.project_id = ${projectId} and r.message_id = m.id and r.channel_id = a.id and r.is_received
        where m.project_id = ${projectId} and m.ticket_id = ${ticketId} order by m.created_at desc, m.id desc limit 1) newest on true
      left join lateral (
        select substr(i.value, 38) as external_id, i.created_at from tickets t
          join contact_identities i on i.project_id = ${projectId} and i.contact_id = t.contact_id and i.type = 'channel'
            and starts_with(i.value, a.id::text || ':')
        where t.project_id = ${projectId} and t.id = ${ticketId} order by i.created_at, i.value limit 1) known on true
    where a.project_id = ${projectId} and ${isAccount}
      and coalesce(newest.contact_external_id, known.external_id) is not null
    order by newest.created_at desc nulls last, newest.id desc nulls last, known.created_at limit 1 for key share of a`
  return row ?? null
}

/** Whether the contact has an id in the messenger, at one of the accounts `a`. */
export async function hasChannelIdentity(
  sql: Sql,
  { accounts }: Messenger,
  projectId: string,
  contactId: string,
  isAccount: Fragment,
): Promise<boolean> {
  const { count } = await sql`
    select from ${sql(accounts)} a
      join contact_identities i on i.project_id = ${projectId} and i.contact_id = ${contactId} and i.type = 'channel'
        and starts_with(i.value, a.id::text || ':')
    where a.project_id = ${projectId} and ${isAccount} limit 1`
  return count > 0
}

export const insertSentMessage = (
  sql: Sql,
  { messages }: Messenger,
  projectId: string,
  messageId: string,
  { channel_id, contact_external_id }: Recipient,
) => sql`
  insert into ${sql(messages)} (project_id, message_id, channel_id, contact_external_id, is_received)
  values (${projectId}, ${messageId}, ${channel_id}, ${contact_external_id}, false)
  on conflict (project_id, message_id) do update set channel_id = excluded.channel_id, contact_external_id = excluded.contact_external_id`

/** A sent message whose delivery is being recorded. */
export interface SentChannelMessage {
  id: string
  ticket_id: string
  delivery_status: string
  contact_external_id: string
  full_name: string | null
}

/** Locks the message. Null if it is not an outgoing message of the account. */
export async function lockSentIn(
  sql: Sql,
  { messages }: Messenger,
  projectId: string,
  accountId: string,
  messageId: string,
): Promise<SentChannelMessage | null> {
  const [row] = await sql<SentChannelMessage[]>`
    select m.id, m.ticket_id, m.delivery_status, s.contact_external_id, k.full_name
    from ${sql(messages)} s
      join messages m on m.project_id = ${projectId} and m.id = s.message_id
      join tickets t on t.project_id = ${projectId} and t.id = m.ticket_id
      join contacts k on k.project_id = ${projectId} and k.id = t.contact_id
    where s.project_id = ${projectId} and s.message_id = ${messageId} and s.channel_id = ${accountId} and not s.is_received
    for no key update of m`
  return row ?? null
}

/** Returns false if another message of the account already has this external id. */
export async function updateExternalId(
  sql: Sql,
  { messages }: Messenger,
  projectId: string,
  { channelId, messageId, externalId }: { channelId: string; messageId: string; externalId: string },
): Promise<boolean> {
  const { count } = await sql`
    update ${sql(messages)} set external_id = ${externalId}
    where project_id = ${projectId} and message_id = ${messageId} and not exists (
      select from ${sql(messages)} o where o.project_id = ${projectId} and o.channel_id = ${channelId}
        and o.external_id = ${externalId} and o.message_id <> ${messageId})`
  return count > 0
}
