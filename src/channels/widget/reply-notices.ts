import type { Config } from '../../core/config.ts'
import type { Vault } from '../../core/crypto.ts'
import type { Sql } from '../../core/db.ts'
import type { Tx } from '../../events/transaction.ts'
import { type OnReply, previewOf, setOnReply } from '../../messages/messages.ts'
import { type IsInChat, setIsInChat } from '../../tickets/tickets.ts'
import { findWidget, isAllowed } from './choices.ts'
import { makeLinkKey } from './open-link.ts'
import { isWatched } from './tabs.ts'
import { typedOnly } from './visitor.ts'

/** If a visitor is away when an operator replies, `visitor.reply_waiting` is emitted, at most once in five minutes: specification §6.5 and §8. */

const noticeInterval = '5 minutes'

interface Asking {
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

async function findAsking(sql: Sql, projectId: string, ticketId: string): Promise<Asking | null> {
  const [row] = await sql<Asking[]>`
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
async function takeTurn(tx: Tx, contactId: string): Promise<boolean> {
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
  asking: Asking,
  domains: string[],
  key: string,
): string {
  const page = asking.surface === 'widget' && asking.page_url ? URL.parse(asking.page_url) : null
  if (!page || !/^https?:$/.test(page.protocol) || !isAllowed(page.host, domains))
    return `${publicUrl}/chat/${projectId}#open=${key}`
  page.hash = `deskbell-open=${key}`
  page.username = ''
  page.password = ''
  return page.href
}

const createCallBack =
  (vault: Vault, publicUrl: string): OnReply =>
  async (tx, reply) => {
    const { projectId } = tx
    const asking = await findAsking(tx, projectId, reply.ticket_id)
    if (!asking) return
    const { choices } = await findWidget(tx, projectId)
    if (!choices.is_on || !choices.notifies_visitors || (await isWatched(tx, projectId, asking))) return
    if (!(await takeTurn(tx, asking.contact_id))) return
    const key = makeLinkKey(vault, { projectId, ticketId: asking.id, contactId: asking.contact_id })
    tx.emit({
      type: 'visitor.reply_waiting',
      data: {
        contact_id: asking.contact_id,
        external_id: asking.external_id,
        telegram_user_id: asking.telegram_id,
        ticket_id: asking.id,
        ticket_short_id: String(asking.number),
        message_id: reply.id,
        operator_name: reply.sender_name,
        preview: previewOf(reply.content, reply.content_format),
        locale: asking.locale,
        surface: asking.surface,
        open_url: addressOf(publicUrl, projectId, asking, choices.allowed_domains, key),
        replied_at: reply.created_at,
      },
    })
  }

const isInChat: IsInChat = async (sql, projectId, ticketId) => {
  const asking = await findAsking(sql, projectId, ticketId)
  return asking !== null && isWatched(sql, projectId, asking)
}

/** Enables this in every process that sends replies. */
export function sendReplyNotices({ config, vault }: { config: Config; vault: Vault }): void {
  setOnReply(createCallBack(vault, config.publicUrl))
  setIsInChat(isInChat)
}
