import { toDatabase } from '../core/time.ts'
import type { Tx } from '../events/transaction.ts'
import { mediaOfMessage } from '../media/media.ts'
import { isAutomaticIn } from './outlets.ts'
import type { MessageDraft } from './queries.ts'
import { previewInTicket } from './render.ts'

/** Recomputes the activity of a ticket after messages have moved. */

type Last = Pick<MessageDraft, 'id' | 'sender_type' | 'content' | 'content_format' | 'media' | 'created_at'>

async function findLast(tx: Tx, ticketId: string): Promise<Last | null> {
  const [row] = await tx<Last[]>`
    select m.id, m.sender_type, m.content, m.content_format, m.created_at, ${mediaOfMessage(tx, tx.projectId)} as media from messages m
    where m.project_id = ${tx.projectId} and m.ticket_id = ${ticketId} and m.sender_type <> 'system'
      and not ${isAutomaticIn(tx)} and m.delivery_status <> 'scheduled' order by m.created_at desc, m.id desc limit 1`
  return row ?? null
}

/**
 * Computes the same values as posting each message does (see write.ts). The caller must have locked the activity. The wait that a
 * closing ended is that of its message, or of the next unanswered one if that message has moved.
 */
export async function recountActivity(tx: Tx, ticketId: string): Promise<void> {
  const last = await findLast(tx, ticketId)
  await tx`
    with closed as (
      select max(at) as at from ticket_history where project_id = ${tx.projectId} and ticket_id = ${ticketId}
        and changes->'status'->>1 = 'closed' and not changes ? 'merged_into_id' and undone_at is null
    ), old as (
      select waited_since from ticket_activity where project_id = ${tx.projectId} and ticket_id = ${ticketId}
    ), sent as (
      select created_at, sender_type, is_internal, ${isAutomaticIn(tx)} as is_automatic, sender_type = 'operator' and not is_internal as is_reply from messages
      where project_id = ${tx.projectId} and ticket_id = ${ticketId} and delivery_status <> 'scheduled'
    ), replied as (
      select min(s.created_at) filter (where s.created_at >= a.created_at) as first_at, max(s.created_at) as last_at
      from sent s join ticket_activity a on a.project_id = ${tx.projectId} and a.ticket_id = ${ticketId} where is_reply
    ), counted as (
      select count(*)::int as messages_count, max(created_at) filter (where sender_type = 'contact') as contact_at,
        min(created_at) filter (where sender_type = 'contact'
          and created_at > coalesce(greatest((select last_at from replied), (select at from closed)), '-infinity')) as waiting_since,
        min(created_at) filter (where sender_type = 'contact' and (created_at = (select waited_since from old)
          or created_at > (select waited_since from old) and created_at > coalesce((select last_at from replied), '-infinity'))) as waited_since,
        min(created_at) filter (where sender_type = 'bot' and not is_internal and not is_automatic) as bot_at
      from sent
    )
    update ticket_activity set messages_count = c.messages_count, last_contact_message_at = c.contact_at,
      waiting_since = case when status <> 'closed' then c.waiting_since end, waited_since = c.waited_since, first_reply_at = r.first_at, first_bot_reply_at = c.bot_at, last_operator_message_at = r.last_at,
      last_message_id = ${last?.id ?? null}::uuid, last_message_sender_type = ${last?.sender_type ?? null}::text,
      last_message_at = ${last ? toDatabase(last.created_at) : null}::timestamptz,
      last_message_preview = ${last && previewInTicket(last)}::text
    from counted c, replied r where project_id = ${tx.projectId} and ticket_id = ${ticketId}`
}

/** After the closing of a ticket was undone, the contact waits again since the same moment. */
export const restoreWait = (tx: Tx, ticketId: string) => tx`
  update ticket_activity set waiting_since = waited_since
  where project_id = ${tx.projectId} and ticket_id = ${ticketId} and status <> 'closed'`
