import type { Sql } from '../../../core/db/db.ts'
import { foldEmail } from '../../../core/email.ts'
import { pick } from '../../../core/fields.ts'
import { mailboxAddresses } from '../incoming/project-facts.ts'
import { makeAddressCheck } from '../mailboxes/recipients.ts'
import type { KnownAddress } from './outgoing-schema.ts'
import { listContactsByAddress, listSendingMailboxes } from './reply-queries.ts'

/** What the dashboard needs to know while someone is writing an email. */

/** All mailboxes, including those that cannot send. */
export async function listSenderChoices(sql: Sql, projectId: string) {
  const mailboxes = await listSendingMailboxes(sql, projectId)
  return mailboxes.map(mailbox => ({
    ...pick(mailbox, ['id', 'address', 'name']),
    can_send: mailbox.sending !== 'none' && mailbox.state !== 'paused',
  }))
}

export async function listKnownAddresses(
  sql: Sql,
  projectId: string,
  addresses: string[],
): Promise<KnownAddress[]> {
  const isOwn = makeAddressCheck((await listSendingMailboxes(sql, projectId)).flatMap(mailboxAddresses))
  const contacts = await listContactsByAddress(sql, projectId, addresses.map(foldEmail))
  return addresses.map(address => {
    const contact = contacts.find(one => one.address === foldEmail(address))
    return {
      address,
      name: contact?.name ?? null,
      is_own: isOwn(address),
      is_undeliverable: contact?.is_undeliverable ?? false,
    }
  })
}
