import { anyId, type Sql } from '../core/db/db.ts'
import { indexVersion } from '../core/words/vector.ts'

/** Statements that write imported messages, many at once. */

export interface NewMessageRow {
  id: string
  ticket_id: string
  sender_type: string
  sender_id: string | null
  sender_name: string | null
  sender_avatar_url: string | null
  contact_identity: string | null
  content: string
  content_format: string
  content_html: string | null
  is_internal: boolean
  reply_to_id: string | null
  channel: string
  external_id: string | null
  delivery_status: string
  delivery_error: string | null
  delivery_attempts: number
  delivery_updated_at: string
  email: object | null
  system: object | null
  origin_ticket_id: string | null
  created_at: string
  updated_at: string
  edited_at: string | null
  deleted_at: string | null
  search: string
}

export const insertImportedMessages = (sql: Sql, projectId: string, rows: NewMessageRow[]) => sql`
  insert into messages (project_id, id, ticket_id, sender_type, sender_id, sender_name, sender_avatar_url, contact_identity,
    content, content_format, content_html, is_internal, reply_to_id, channel, external_id, delivery_status, delivery_error,
    delivery_attempts, delivery_updated_at, email, system, origin_ticket_id, created_at, updated_at, edited_at, deleted_at, search, search_version)
  select ${projectId}::uuid, r.id, r.ticket_id, r.sender_type, r.sender_id, r.sender_name, r.sender_avatar_url, r.contact_identity,
    r.content, r.content_format, r.content_html, r.is_internal, r.reply_to_id, r.channel, r.external_id, r.delivery_status,
    r.delivery_error, r.delivery_attempts, r.delivery_updated_at, r.email, r.system, r.origin_ticket_id, r.created_at, r.updated_at, r.edited_at,
    r.deleted_at, r.search, ${indexVersion}
  from json_populate_recordset(null::messages, ${JSON.stringify(rows)}::text::json) r`

export interface NewReactionRow {
  message_id: string
  reactor_kind: string
  reactor_id: string
  emoji: string
  created_at: string
}

export const insertReactions = (sql: Sql, projectId: string, rows: NewReactionRow[]) => sql`
  insert into message_reactions (project_id, message_id, reactor_kind, reactor_id, emoji, created_at)
  select ${projectId}::uuid, r.message_id, r.reactor_kind, r.reactor_id, r.emoji, r.created_at
  from json_populate_recordset(null::message_reactions, ${JSON.stringify(rows)}::text::json) r
  on conflict do nothing`

/** A file, and its position in a message. */
export interface FilePlace {
  id: string
  message_id: string
  position: number
}

export const updateMediaPlaces = (sql: Sql, projectId: string, places: FilePlace[]) => sql`
  update media f set message_id = p.message_id, position = p.position, expires_at = null
  from unnest(${places.map(one => one.id)}::uuid[], ${places.map(one => one.message_id)}::uuid[],
    ${places.map(one => one.position)}::int[]) as p (id, message_id, position)
  where f.project_id = ${projectId} and f.id = p.id`

/** Returns the external ids that messages of the project already have. */
export async function listTakenExternalIds(
  sql: Sql,
  projectId: string,
  externalIds: string[],
): Promise<Set<string>> {
  const rows = await sql<{ external_id: string }[]>`
    select external_id from messages
    where project_id = ${projectId} and external_id is not null and external_id = any(${externalIds}::text[])`
  return new Set(rows.map(row => row.external_id))
}

export const listTicketsOfMessages = (sql: Sql, projectId: string, ids: string[]) => sql<
  { id: string; ticket_id: string }[]
>`
  select id, ticket_id from messages where project_id = ${projectId} and id = ${anyId(sql, ids)}`
