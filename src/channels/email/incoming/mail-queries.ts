import { createHash } from 'node:crypto'
import type { Sql } from '../../../core/db/db.ts'
import type { HeaderField } from '../../../mail/mail.ts'

/** Email data of messages, and the IDs by which replies find them. */

/** A hash of a Message-ID, or of the beginning of a Thread-Index. */
const hashOf = (id: string): Buffer => createHash('sha256').update(id).digest().subarray(0, 16)

const hexOf = (id: string): string => hashOf(id).toString('hex')

/** A ticket that an email may belong to. */
export interface FoundTicket {
  /** The ID in the email that led to this ticket. */
  mail_id: string
  message_id: string
  ticket_id: string
  /** Whether the message is an internal note. */
  is_internal: boolean
}

/** The newest message for each of these IDs, if any. */
export async function findMailIds(sql: Sql, projectId: string, ids: string[]): Promise<FoundTicket[]> {
  if (ids.length === 0) return []
  const byHash = new Map(ids.map(id => [hexOf(id), id]))
  const rows = await sql<(Omit<FoundTicket, 'mail_id'> & { hash: string; created_at: string })[]>`
    select distinct on (i.hash, m.ticket_id) encode(i.hash, 'hex') as hash, m.id as message_id, m.ticket_id, m.is_internal,
      m.created_at
    from mail_ids i join messages m on m.project_id = ${projectId} and m.id = i.message_id
    where i.project_id = ${projectId}
      and i.hash = any(array(select decode(h, 'hex') from unnest(${[...byHash.keys()]}::text[]) h))
    order by i.hash, m.ticket_id, m.created_at desc`
  const newestFirst = rows.toSorted((one, other) => (one.created_at < other.created_at ? 1 : -1))
  return newestFirst.map(({ hash, created_at: _, ...found }) => ({ ...found, mail_id: byHash.get(hash)! }))
}

export const insertMailIds = (sql: Sql, projectId: string, messageId: string, ids: string[]) => sql`
  insert into mail_ids (project_id, hash, message_id)
  select ${projectId}, decode(h, 'hex'), ${messageId}
  from unnest(${[...new Set(ids)].map(hexOf)}::text[]) h
  on conflict do nothing`

/** A Message-ID by which replies find a message. */
export interface MailIdOf {
  message_id: string
  /** Without angle brackets. */
  mail_id: string
}

/** Like `insertMailIds`, but for many messages. */
export const insertMailIdsOf = (sql: Sql, projectId: string, ids: MailIdOf[]) => sql`
  insert into mail_ids (project_id, hash, message_id)
  select ${projectId}::uuid, decode(i.hash, 'hex'), i.message_id
  from unnest(${ids.map(one => hexOf(one.mail_id))}::text[], ${ids.map(one => one.message_id)}::uuid[]) as i (hash, message_id)
  on conflict do nothing`

export interface MailDetails {
  incoming_mail_id: string | null
  headers: HeaderField[]
  quoted_text: string
  quoted_html: string | null
}

export const insertMailDetails = (
  sql: Sql,
  projectId: string,
  messageId: string,
  details: MailDetails,
) => sql`
  insert into mail_details (project_id, message_id, incoming_mail_id, headers, quoted_text, quoted_html)
  values (${projectId}, ${messageId}, ${details.incoming_mail_id}, ${details.headers},
    ${details.quoted_text}, ${details.quoted_html})`

export const updateMailDetails = (
  sql: Sql,
  projectId: string,
  messageId: string,
  details: Omit<MailDetails, 'incoming_mail_id'>,
) => sql`
  update mail_details set headers = ${details.headers}, quoted_text = ${details.quoted_text},
    quoted_html = ${details.quoted_html}
  where project_id = ${projectId} and message_id = ${messageId}`

export async function findMailDetails(sql: Sql, projectId: string, messageId: string) {
  const [row] = await sql<MailDetails[]>`
    select incoming_mail_id, headers, quoted_text, quoted_html from mail_details
    where project_id = ${projectId} and message_id = ${messageId}`
  return row ?? null
}

/** The received email that became a message, if its original is still stored; null otherwise. */
export async function findOriginalId(sql: Sql, projectId: string, messageId: string): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select i.id from mail_details d
    join incoming_mails i on i.project_id = ${projectId} and i.id = d.incoming_mail_id
    where d.project_id = ${projectId} and d.message_id = ${messageId} and i.storage_key <> ''`
  return row?.id ?? null
}

/** Filters these IDs to those of messages from operators and bots, except one message. */
export async function listOwnIds(
  sql: Sql,
  projectId: string,
  ids: string[],
  exceptId: string | null,
): Promise<string[]> {
  const found = (await findMailIds(sql, projectId, ids)).filter(one => one.message_id !== exceptId)
  if (found.length === 0) return []
  const rows = await sql<{ id: string }[]>`
    select id from messages where project_id = ${projectId} and sender_type in ('operator', 'bot')
      and id = any(${found.map(one => one.message_id)}::uuid[])`
  const own = new Set(rows.map(row => row.id))
  return found.filter(one => own.has(one.message_id)).map(one => one.mail_id)
}
