import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { startFetching } from '../src/channels/email/imap/fetcher.ts'
import { storeIncoming } from '../src/channels/email/incoming/store.ts'
import type { MailboxRow, NewMailbox } from '../src/channels/email/mailboxes/mailbox.ts'
import { createMailbox } from '../src/channels/email/mailboxes/mailboxes.ts'
import { mayReachAll } from '../src/core/http/guarded-agent.ts'
import { createStorages } from '../src/media/media.ts'
import type { Member } from './cast.ts'
import type { Dovecot } from './dovecot.ts'
import type { TestServer } from './server.ts'

/** Creates a mailbox of the project that fetches from this Dovecot. */
export const makeMailbox = (
  server: TestServer,
  dovecot: Pick<Dovecot, 'imapPort'>,
  fields: Partial<NewMailbox> & { member?: Member; user?: string; password?: string } = {},
): Promise<MailboxRow> => {
  const { member = server.acme, user = 'support', password = 'secret', ...rest } = fields
  const imap = { host: '127.0.0.1', port: dovecot.imapPort, security: 'none' as const, user, password }
  const input = { address: `${user}@example.com`, incoming: 'imap' as const, imap, ...rest }
  const caller = { project: { id: member.id }, actor: { type: 'cli' as const } }
  return createMailbox(server, server.db, caller, input)
}

/** Fetches emails like a process with the role `channels`. */
export function fetchMails(context: { after(run: () => unknown): void }, server: TestServer) {
  const storages = createStorages(server)
  const fetching = startFetching({ ...server, storages, mayReach: mayReachAll })
  let isStopped = false
  const stop = async () => {
    if (isStopped) return
    isStopped = true
    await fetching.stop()
  }
  context.after(stop)
  return { stop }
}

export interface StoredMail {
  id: string
  mailbox_id: string | null
  source: string
  uid: number | null
  state: string
  outcome: string | null
  reason: string | null
  size: number
  is_partial: boolean
  sha256: string
  storage_key: string
  bucket_id: string | null
  envelope_from: string | null
  envelope_to: string[]
}

export const listMails = async ({ db }: TestServer, { id }: Pick<Member, 'id'>): Promise<StoredMail[]> => [
  ...(await db<StoredMail[]>`select * from incoming_mails where project_id = ${id} order by created_at, id`),
]

/** The stored bytes of an email. */
export async function readMail(server: TestServer, { storage_key, bucket_id }: StoredMail): Promise<Buffer> {
  const place = await createStorages(server).find(bucket_id)
  const content = await place!.storage.read(storage_key)
  return Buffer.concat(await content!.toArray())
}

export const findMailbox = async ({ db }: TestServer, { id }: Pick<MailboxRow, 'id'>) => {
  const [row] =
    await db`select state, failures, last_ok_at, last_error, backoff_until, lease_id from mailboxes where id = ${id}`
  return row!
}

let count = 0

/** A small email with a unique Message-ID. */
export const makeMail = (subject = 'Hello', body = 'How are you?'): string =>
  [
    'From: Ann <ann@example.com>',
    'To: support@example.com',
    `Subject: ${subject}`,
    `Message-ID: <${process.pid}.${count++}@example.com>`,
    'Date: Thu, 01 Jan 2026 10:00:00 +0000',
    '',
    body,
    '',
  ].join('\r\n')

/** Stores an email like the listener, without handling it. Returns its id. */
export async function storeMail(server: TestServer, member: Member, content = makeMail()): Promise<string> {
  const { id } = await makeListeningMailbox(server, `${randomUUID()}@example.com`, member)
  const origin = { project_id: member.id, mailbox_id: id, source: 'lmtp' as const, received_at: '2026-01-01' }
  const envelope = {
    from: 'ann@example.com',
    to: ['support@example.com'],
    client: { ip: '203.0.113.7', host: 'mail.example.com', helo: 'mail.example.com', is_secure: true },
  }
  const stored = storeIncoming(
    { ...server, storages: createStorages(server) },
    { ...origin, envelope },
    Readable.from([Buffer.from(content)]),
  )
  return (await stored)!
}

/** Creates a mailbox that receives through the listener. */
export const makeListeningMailbox = (
  server: TestServer,
  address: string,
  member: Member = server.acme,
): Promise<MailboxRow> => {
  const caller = { project: { id: member.id }, actor: { type: 'cli' as const } }
  return createMailbox(server, server.db, caller, { address, incoming: 'listen' })
}
