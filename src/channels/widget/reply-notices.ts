import type { Config } from '../../core/config/config.ts'
import type { Vault } from '../../core/crypto.ts'
import type { Sql } from '../../core/db/db.ts'
import type { Tx } from '../../events/transaction.ts'
import { type Outlet, previewOf } from '../../messages/messages.ts'
import { findWidget, isAllowed } from './choices.ts'
import { findNoticeTicket, type NoticeTicket } from './notice-ticket.ts'
import { makeLinkKey } from './open-link.ts'
import { isWatched } from './tabs.ts'
import { noteUnread } from './unread-replies.ts'

/** If a visitor is away when an operator replies, `visitor.reply_waiting` is emitted, at most once in five minutes: specification §6.5 and §8. */

const noticeInterval = '5 minutes'

/**
 * Whether five minutes have passed. Of several concurrent replies, only one gets true: the others wait for its row lock and then
 * see the new time.
 */
async function claimNotice(tx: Tx, contactId: string): Promise<boolean> {
  const { count } = await tx`
    insert into reply_notices as n (project_id, contact_id, told_at)
    values (${tx.projectId}, ${contactId}, clock_timestamp())
    on conflict (project_id, contact_id) do update set told_at = excluded.told_at
      where n.told_at <= excluded.told_at - ${noticeInterval}::text::interval`
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

/**
 * The outlet of the widget. If a visitor misses a reply, it is sent by email if possible. Otherwise integrations are notified, so that
 * no visitor gets two emails about one reply.
 */
export const createReplyNotice = ({
  config: { publicUrl },
  vault,
}: {
  config: Config
  vault: Vault
}): Outlet => ({
  async send(tx, reply) {
    // A reply that is sent by Telegram is not missed.
    if (reply.sender_type !== 'operator' || reply.channel === 'telegram') return
    const { projectId } = tx
    const ticket = await findNoticeTicket(tx, projectId, reply.ticket_id)
    if (!ticket || (await noteUnread(tx, reply, ticket))) return
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
export async function isInChat(sql: Sql, projectId: string, ticketId: string): Promise<boolean> {
  const ticket = await findNoticeTicket(sql, projectId, ticketId)
  return ticket !== null && isWatched(sql, projectId, ticket)
}
