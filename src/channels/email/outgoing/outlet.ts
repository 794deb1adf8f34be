import type { Config } from '../../../core/config/config.ts'
import type { Vault } from '../../../core/crypto.ts'
import { foldEmail } from '../../../core/email.ts'
import { refuse } from '../../../core/errors.ts'
import type { Tx } from '../../../events/transaction.ts'
import { type Outlet, updateDelivery, type WrittenMessage } from '../../../messages/messages.ts'
import type { StoredEmail } from '../../../messages/schema.ts'
import { queueMessage, releaseQueued } from '../../../outgoing/outgoing.ts'
import { findMailboxRow } from '../mailboxes/queries.ts'
import {
  countAccepted,
  deleteBuiltEmail,
  deleteOutgoingEmail,
  deleteRecipients,
  deleteSentWith,
  findCarrier,
  insertOutgoingEmail,
  insertRecipients,
  type NewRecipient,
  updateRecipientsRetried,
} from './outgoing-queries.ts'
import { completeEmail, isSentElsewhere, prepareEmail } from './prepare.ts'
import type { DeliveryCode } from './sent-delivery.ts'

/** The outlet of the channel `email`: queues messages for the worker. */

const channel = 'email'

/** Each address once, first as a recipient in To. */
function listRecipients({ to, cc, bcc }: StoredEmail): NewRecipient[] {
  const all = [
    ...to.map(address => ({ address, kind: 'to' as const })),
    ...cc.map(address => ({ address, kind: 'cc' as const })),
    ...bcc.map(address => ({ address, kind: 'bcc' as const })),
  ].map(one => ({ ...one, address: foldEmail(one.address) }))
  return all.filter(({ address }, at) => all.findIndex(one => one.address === address) === at)
}

const fail = (tx: Tx, id: string, error: DeliveryCode) => updateDelivery(tx, id, { status: 'failed', error })

async function findSender(tx: Tx, email: StoredEmail | null): Promise<string | null> {
  const mailbox = email?.mailbox_id ? await findMailboxRow(tx, tx.projectId, email.mailbox_id) : null
  return mailbox && mailbox.sending !== 'none' ? mailbox.id : null
}

/** Queues an email for its recipients. The message fails immediately if no mailbox can send it, or if it has no recipient. */
export async function queueEmail(tx: Tx, { id, email }: Pick<WrittenMessage, 'id' | 'email'>): Promise<void> {
  const mailboxId = await findSender(tx, email)
  if (!email || !mailboxId) return fail(tx, id, 'no_mailbox')
  const recipients = listRecipients(email)
  if (recipients.length === 0) return fail(tx, id, 'no_recipient')
  await insertRecipients(tx, tx.projectId, id, recipients)
  await insertOutgoingEmail(tx, tx.projectId, id, mailboxId)
  await queueMessage(tx, { id, channel, account_id: mailboxId })
}

export function createEmailOutlet(deps: { config: Config; vault: Vault }): Outlet {
  const key = deps.vault.derive('mail')
  return {
    prepare: prepareEmail(deps),
    async send(tx, message) {
      if (message.channel !== channel) return
      if (isSentElsewhere(key, message))
        return updateDelivery(tx, message.id, { status: 'sent', error: null })
      await queueEmail(tx, message)
    },
    async retry(tx, message) {
      if (message.channel !== channel) return
      const { projectId } = tx
      const id = await findCarrier(tx, projectId, message.id)
      if ((await countAccepted(tx, projectId, id)) > 0) {
        // The other recipients get the same bytes, which only the same mailbox can send.
        if (!(await findSender(tx, message.email))) throw refuse('message_id', 'mailbox_cannot_send')
        await updateRecipientsRetried(tx, projectId, id)
        return queueEmail(tx, { ...message, id })
      }
      await deleteOutgoingEmail(tx, projectId, message.id)
      await deleteRecipients(tx, projectId, message.id)
      const completed = await completeEmail(tx, key, message)
      await deleteSentWith(tx, projectId, message.id)
      await queueEmail(tx, completed)
    },
    async edit(tx, message) {
      if (message.channel !== channel) return true
      const id = await findCarrier(tx, tx.projectId, message.id)
      if ((await countAccepted(tx, tx.projectId, id)) > 0 || !(await releaseQueued(tx, id))) return false
      await deleteBuiltEmail(tx, id)
      return true
    },
  }
}
