import type { Config } from '../../core/config.ts'
import type { Vault } from '../../core/crypto.ts'
import type { Sql } from '../../core/db.ts'
import type { Tx } from '../../events/transaction.ts'
import { type Outlet, previewOf } from '../../messages/messages.ts'
import type { IsInChat } from '../../tickets/tickets.ts'
import { findWidget, isAllowed } from './choices.ts'
import { makeLinkKey } from './open-link.ts'
import { isWatched } from './tabs.ts'
import { typedOnly } from './visitor.ts'

/** If a visitor is away when an operator replies, `visitor.reply_waiting` is emitted, at most once in five minutes: specification §6.5 and §8. */

const noticeInterval = '5 minutes'

interface NoticeTicket {
  id: string
  number: number
  contact_id: string
  visitor_id: string | null
  is_typed: boolean
  external_id: string | null
  telegram_id: number | null
  surface: 'widget' | 'page'
  locale: string | null
  page_url: string | null
}

async function findNoticeTicket(sql: Sql, projectId: string, ticketId: string): Promise<NoticeTicket | null> {
  const [row] = await sql<NoticeTicket[]>`
    select t.id, t.number, t.contact_id, w.visitor_id, ${typedOnly(sql)} as is_typed,
      c.external_id, c.telegram_id, w.surface, w.locale, w.page_url
    from widget_tickets w
    join tickets t on t.project_id = w.project_id and t.id = w.ticket_id
    join contacts c on c.project_id = t.project_id and c.id = t.contact_id
    where w.project_id = ${projectId} and w.ticket_id = ${ticketId}`
  return row ?? null
}

/**
 * Whether five minutes have passed. Of several concurrent replies, only one gets true: the others wait for its row lock and then
 * see the new time.
 */
async function claimNotice(tx: Tx, contactId: string): Promise<boolean> {
  const { count } = await tx`
    insert into reply_notices as n (project_id, contact_id, told_at)
    values (${tx.projectId}, ${contactId}, clock_timestamp())
    on conflict (project_id, contact_id) do update set told_at = excluded.told_at
      where n.told_at <= clock_timestamp() - ${noticeInterval}::text::interval`
  return count > 0
}

/** The page where the ticket was started, if its host belongs to the project. A browser could name any page. */
function addressOf(
  publicUrl: string,
  projectId: string,
  ticket: NoticeTicket,
  domains: string[],
  key: string,
): string {
  const page = ticket.surface === 'widget' && ticket.page_url ? URL.parse(ticket.page_url) : null
  if (!page || !/^https?:$/.test(page.protocol) || !isAllowed(page.host, domains))
    return `${publicUrl}/chat/${projectId}#open=${key}`
  page.hash = `deskbell-open=${key}`
  page.username = ''
  page.password = ''
  return page.href
}

/** The outlet of the widget: notifies integrations of a visitor who misses a reply. */
export const createReplyNotice = ({
  config: { publicUrl },
  vault,
}: {
  config: Config
  vault: Vault
}): Outlet => ({
  async send(tx, reply) {
    if (reply.sender_type !== 'operator') return
    const { projectId } = tx
    const ticket = await findNoticeTicket(tx, projectId, reply.ticket_id)
    if (!ticket) return
    const { choices } = await findWidget(tx, projectId)
    if (!choices.is_on || !choices.notifies_visitors || (await isWatched(tx, projectId, ticket))) return
    if (!(await claimNotice(tx, ticket.contact_id))) return
    const key = makeLinkKey(vault, { projectId, ticketId: ticket.id, contactId: ticket.contact_id })
    tx.emit({
      type: 'visitor.reply_waiting',
      data: {
        contact_id: ticket.contact_id,
        external_id: ticket.external_id,
        telegram_user_id: ticket.telegram_id,
        ticket_id: ticket.id,
        ticket_short_id: String(ticket.number),
        message_id: reply.id,
        operator_name: reply.sender_name,
        preview: previewOf(reply.content, reply.content_format),
        locale: ticket.locale,
        surface: ticket.surface,
        open_url: addressOf(publicUrl, projectId, ticket, choices.allowed_domains, key),
        replied_at: reply.created_at,
      },
    })
  },
})

/** Whether the visitor of a ticket has the chat open. */
export const isInChat: IsInChat = async (sql, projectId, ticketId) => {
  const ticket = await findNoticeTicket(sql, projectId, ticketId)
  return ticket !== null && isWatched(sql, projectId, ticket)
}
