import type { ImapFlow } from 'imapflow'
import { within } from '../../../core/async/in-time.ts'
import { type ImapDeps, openImap } from '../imap/imap-client.ts'
import type { FetchedMailbox } from '../mailboxes/mailbox.ts'

/** The Sent folder of a mailbox: looks for emails there, and stores copies. */

type Sender = Pick<FetchedMailbox, 'imap' | 'sent_folder'>

const logoutTimeoutMs = 3_000

async function withImap<T>(
  deps: ImapDeps,
  mailbox: FetchedMailbox,
  work: (client: ImapFlow) => Promise<T>,
): Promise<T> {
  const client = await openImap(deps, mailbox)
  try {
    return await work(client)
  } finally {
    const leaving = client.logout().catch(() => {})
    await within<unknown>(logoutTimeoutMs, leaving, () => {})
    client.close()
  }
}

async function findFolder(client: ImapFlow, { sent_folder }: Sender): Promise<string | null> {
  if (sent_folder) return sent_folder
  const folders = await client.list()
  return folders.find(({ specialUse }) => specialUse === '\\Sent')?.path ?? null
}

/** Opens the folder; null if the server has none. */
async function openSent(client: ImapFlow, mailbox: Sender): Promise<string | null> {
  const path = await findFolder(client, mailbox)
  if (path !== null) await client.mailboxOpen(path, { readOnly: true })
  return path
}

async function hasMail(client: ImapFlow, messageId: string): Promise<boolean> {
  const uids = await client.search({ header: { 'message-id': messageId } }, { uid: true })
  return Boolean(uids && uids.length > 0)
}

/** Whether the Sent folder has an email with this Message-ID. Rejects if the folder cannot be read. */
export async function isInSent(deps: ImapDeps, mailbox: FetchedMailbox, messageId: string): Promise<boolean> {
  if (!mailbox.imap) return false
  return withImap(
    deps,
    mailbox,
    async client => (await openSent(client, mailbox)) !== null && hasMail(client, messageId),
  )
}

/** Stores a copy, unless the server has one already. Returns false if there is no Sent folder. */
export const saveInSent = (
  deps: ImapDeps,
  mailbox: FetchedMailbox,
  messageId: string,
  read: () => Promise<Buffer>,
): Promise<boolean> =>
  withImap(deps, mailbox, async client => {
    const path = await openSent(client, mailbox)
    if (path === null) return false
    if (await hasMail(client, messageId)) return true
    return (await client.append(path, await read(), ['\\Seen'])) !== false
  })
