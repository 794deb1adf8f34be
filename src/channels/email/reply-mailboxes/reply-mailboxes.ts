import { recordAudit } from '../../../audit/audit.ts'
import { differenceOf } from '../../../audit/difference.ts'
import type { Caller } from '../../../core/endpoint.ts'
import { refuse } from '../../../core/errors.ts'
import { isId } from '../../../core/ids.ts'
import { type DbOrTx, type Tx, transact } from '../../../events/transaction.ts'
import { findMailboxRow } from '../mailboxes/queries.ts'
import { findReplyMailboxes, lockReplyMailboxes, updateReplyMailboxes } from './reply-mailbox-queries.ts'
import type { ReplyMailboxes, ReplyMailboxesChange } from './reply-mailbox-schema.ts'

/** Changes the settings for replies by email in tickets of other channels. */

async function requireSender(tx: Tx, field: keyof ReplyMailboxes, id: string | null): Promise<void> {
  if (id === null) return
  const mailbox = isId(id) ? await findMailboxRow(tx, tx.projectId, id) : null
  if (!mailbox) throw refuse(field, 'not_found')
  if (mailbox.sending === 'none') throw refuse(field, 'mailbox_cannot_send')
}

export function changeReplyMailboxes(
  store: DbOrTx,
  { project, actor }: Caller,
  change: ReplyMailboxesChange,
): Promise<ReplyMailboxes> {
  return transact(store, project.id, async tx => {
    for (const field of ['widget_mailbox_id', 'api_mailbox_id'] as const)
      await requireSender(tx, field, change[field] ?? null)
    const before = await lockReplyMailboxes(tx, project.id)
    const difference = differenceOf(before, change)
    if (difference) {
      await updateReplyMailboxes(tx, project.id, { ...before, ...change })
      const target = { type: 'project', name: project.name }
      await recordAudit(tx, project.id, actor, 'project.reply_mailboxes_changed', target, difference)
    }
    return findReplyMailboxes(tx, project.id)
  })
}
