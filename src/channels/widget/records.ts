import { anyId, type Fragment, type Sql } from '../../core/db/db.ts'
import { inEvent, mediaOfMessage } from '../../media/media.ts'
import type { MediaItem } from '../../media/schema.ts'
import { previewOf, renderContent } from '../../messages/messages.ts'
import type { VisitorMessage } from './schema.ts'
import { telegramUsername } from './telegram-username.ts'
import { isDivided, type TicketOwner, typedOnly } from './visitor.ts'
import type { VisitorTicket } from './visitor-ticket-schema.ts'

/** Tickets and messages as visitors see them, the same for all visitors who may see them. */

/** Messages that the contact may see: no notes, no waiting messages, and no system messages for operators. */
export const isForVisitor = (sql: Sql): Fragment =>
  sql`not m.is_internal and m.sender_type <> 'system' and m.delivery_status <> 'scheduled'
    and m.deleted_at is null`

type Format = Parameters<typeof renderContent>[1]

interface MessageRow extends Omit<VisitorMessage, 'client_id' | 'content_html' | 'preview'> {
  external_id: string | null
  content: string
  content_format: Format
  content_html: string | null
}

/**
 * The `external_id` of a message from a browser. It includes the visitor's id, so that it cannot match another visitor's message.
 */
export const externalIdOf = (visitorId: string, clientId: string): string =>
  `visitor:${visitorId}:${clientId}`
const clientIdOf = (externalId: string | null): string | null =>
  /^visitor:[0-9a-f-]{36}:([0-9a-f-]{36})$/.exec(externalId ?? '')?.[1] ?? null

function toMessage({
  external_id,
  content,
  content_format,
  content_html,
  ...row
}: MessageRow): VisitorMessage {
  return {
    ...row,
    client_id: clientIdOf(external_id),
    content_html: content_html ?? renderContent(content, content_format),
    preview: previewOf(content, content_format),
    // The URLs need no token, because the page displays images by them.
    media: row.media.map((file: MediaItem) => inEvent(file, false)),
  }
}

const messageColumns = (sql: Sql, projectId: string): Fragment =>
  sql`
  m.id, m.ticket_id, m.external_id, m.sender_type, m.sender_name, m.sender_avatar_url, m.content, m.content_format,
  m.content_html, m.created_at, m.edited_at, ${mediaOfMessage(sql, projectId)} as media,
  (select r.id from messages r where r.project_id = ${projectId} and r.id = m.reply_to_id and not r.is_internal) as reply_to_id,
  (select coalesce(jsonb_agg(jsonb_build_object('emoji', emoji, 'reactor_kind', reactor_kind, 'count', count)
      order by first_at), '[]') from (
    select emoji, reactor_kind, count(*)::int as count, min(created_at) as first_at from message_reactions r
    where r.project_id = ${projectId} and r.message_id = m.id group by emoji, reactor_kind) r) as reactions`

/** Messages `m` with their tickets `t`, and the rows `w` of `widget_tickets` that say which visitor started them. */
const messagesOfTickets = (sql: Sql): Fragment =>
  sql`messages m join tickets t on t.project_id = m.project_id and t.id = m.ticket_id
    left join widget_tickets w on w.project_id = t.project_id and w.ticket_id = t.id`

/** Those of these messages that visitors may see, in the part of the ticket that `part` selects. */
export const loadVisitorMessages = async (
  sql: Sql,
  projectId: string,
  ids: string[],
  part = sql`true`,
): Promise<VisitorMessage[]> =>
  ids.length === 0
    ? []
    : (
        await sql<MessageRow[]>`
          select ${messageColumns(sql, projectId)} from ${messagesOfTickets(sql)}
          where m.project_id = ${projectId} and m.id = ${anyId(sql, ids)} and ${isForVisitor(sql)} and ${part}`
      ).map(toMessage)

/** The last messages before a time, newest first. */
export const listMessagesBefore = async (
  sql: Sql,
  projectId: string,
  ticketId: string,
  before: { created_at: string; id: string } | null,
  part: Fragment,
  limit: number,
): Promise<VisitorMessage[]> =>
  (
    await sql<MessageRow[]>`
      select ${messageColumns(sql, projectId)} from ${messagesOfTickets(sql)}
      where m.project_id = ${projectId} and m.ticket_id = ${ticketId} and ${isForVisitor(sql)} and ${part}
        and ${before ? sql`(m.created_at, m.id) < (${`${before.created_at}Z`}::timestamptz, ${before.id}::uuid)` : sql`true`}
      order by m.created_at desc, m.id desc limit ${limit}`
  ).map(toMessage)

interface TicketRow extends Omit<VisitorTicket, 'short_id' | 'last_message' | 'is_rateable'> {
  number: number
  contact_id: string
  visitor_id: string | null
  merged_into_id: string | null
  is_divided: boolean
  is_typed: boolean
  contact_identity: TicketOwner['contact_identity']
  is_blocked: boolean
  last_id: string | null
  last_sender_type: 'contact' | 'operator' | 'bot'
  last_sender_name: string | null
  last_content: string
  last_format: Format
  last_at: string
}

/** A ticket and its owner. */
export interface OwnedTicket {
  owner: TicketOwner
  ticket: VisitorTicket
}

function toTicket(row: TicketRow): OwnedTicket {
  const { id, contact_id, visitor_id, is_divided, merged_into_id } = row
  const { is_typed, contact_identity, is_blocked } = row
  const { subject, status, unread_count, seen_at, rating, is_emailable, operator, created_at, updated_at } =
    row
  const { telegram_username } = row
  const last_message =
    row.last_id === null
      ? null
      : {
          id: row.last_id,
          sender_type: row.last_sender_type,
          sender_name: row.last_sender_name,
          preview: previewOf(row.last_content, row.last_format),
          created_at: row.last_at,
        }
  return {
    owner: { id, contact_id, visitor_id, is_divided, merged_into_id, is_typed, contact_identity, is_blocked },
    ticket: {
      ...{ id, short_id: String(row.number), subject, status, last_message, unread_count },
      ...{ seen_at, rating },
      ...{
        is_rateable: status === 'closed',
        is_emailable,
        telegram_username,
        operator,
        created_at,
        updated_at,
      },
    },
  }
}

/** The columns of a ticket. Its times come only from messages that the contact may see. The contact's own messages count as read. */
const ticketColumns = (sql: Sql, projectId: string, part: Fragment): Fragment =>
  sql`
  t.id, t.number, t.subject, t.status, t.rating, t.contact_id, t.merged_into_id, w.visitor_id,
  ${isDivided(sql, projectId)} as is_divided,
  ${typedOnly(sql, projectId)} as is_typed, t.contact_identity, t.created_at,
  a.last_operator_message_at is not null
    and exists (select from contacts c where c.project_id = ${projectId} and c.id = t.contact_id and c.email is not null)
    and exists (select from mailboxes b where b.project_id = ${projectId} and b.sending <> 'none') as is_emailable,
  ${telegramUsername(sql, projectId, part)} as telegram_username,
  (select c.blocked_at is not null from contacts c where c.project_id = ${projectId} and c.id = t.contact_id) as is_blocked,
  (select a.last_contact_message_at from ticket_reads s where s.project_id = ${projectId} and s.ticket_id = t.id
    and s.last_read_message_at >= a.last_contact_message_at limit 1) as seen_at,
  case when o.id is not null then jsonb_build_object('name', o.name, 'avatar_url', o.avatar_url) end as operator,
  l.id as last_id, l.sender_type as last_sender_type, l.sender_name as last_sender_name, l.content as last_content,
  l.content_format as last_format, l.created_at as last_at, coalesce(l.created_at, t.created_at) as updated_at,
  case when t.channel = 'widget' or r.read_at is not null then (
    select count(*)::int from messages m
    where m.project_id = ${projectId} and m.ticket_id = t.id and ${isForVisitor(sql)} and ${part} and m.sender_type <> 'contact'
      and m.created_at > greatest(r.read_at, a.last_contact_message_at, '-infinity')) else 0 end as unread_count
  from tickets t
  join ticket_activity a on a.project_id = t.project_id and a.ticket_id = t.id
  left join widget_tickets w on w.project_id = t.project_id and w.ticket_id = t.id
  left join contact_reads r on r.project_id = t.project_id and r.ticket_id = t.id
  left join operators o on o.project_id = t.project_id and o.id = t.operator_id
  left join lateral (
    select m.id, m.sender_type, m.sender_name, left(m.content, 2000) as content, m.content_format, m.created_at
    from messages m where m.project_id = ${projectId} and m.ticket_id = t.id and ${isForVisitor(sql)} and ${part}
    order by m.created_at desc, m.id desc limit 1) l on true`

/** Visitors do not scroll through more tickets than this. */
const maxTickets = 100

/** Tickets as visitors who may see this part of them see them. The part is a condition for messages `m` of tickets `t` with `w`. */
export async function loadVisitorTickets(
  sql: Sql,
  projectId: string,
  condition: Fragment,
  part: Fragment,
  limit = maxTickets,
): Promise<OwnedTicket[]> {
  const rows = await sql<TicketRow[]>`
    select * from (select ${ticketColumns(sql, projectId, part)} where t.project_id = ${projectId} and ${condition}) t
    order by updated_at desc, id desc limit ${limit}`
  return rows.map(toTicket)
}
