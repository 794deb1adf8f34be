import type { SMTPServerAddress, SMTPServerDataStream, SMTPServerSession } from 'smtp-server'
import type { SmtpClient } from '../incoming/incoming-queries.ts'
import { type MailOrigin, SourceError, type StoreDeps, storeIncoming } from '../incoming/store.ts'
import type { FoundRecipient } from '../mailboxes/queries.ts'
import { findRecipient } from '../mailboxes/recipients.ts'

/** A reply to an SMTP command. */
export class SmtpReply extends Error {
  readonly responseCode: number
  constructor(code: number, text: string) {
    super(text)
    this.responseCode = code
  }
}

const tooLarge = (): SmtpReply => new SmtpReply(552, '5.3.4 Message too large')

interface Delivery {
  recipient: FoundRecipient
  /** The envelope's recipients that belong to the mailbox. */
  to: string[]
}

/** A mailbox with several of an email's recipients receives it once. */
async function listDeliveries({ db }: StoreDeps, session: SMTPServerSession): Promise<Delivery[]> {
  const deliveries = new Map<string, Delivery>()
  for (const { address } of session.envelope.rcptTo) {
    const recipient = await findRecipient(db, address)
    if (!recipient) continue
    const known = deliveries.get(recipient.mailbox_id)
    if (known) known.to.push(address)
    else deliveries.set(recipient.mailbox_id, { recipient, to: [address] })
  }
  if (deliveries.size === 0) throw new SmtpReply(550, '5.1.1 No such mailbox here')
  return [...deliveries.values()]
}

/** Prevents header injection by the client. Addresses may have non-ASCII letters (SMTPUTF8). */
const printable = (text: string): string => text.replace(/[\s\p{Cc}\p{Cs}]/gu, '').slice(0, 255)

/** The headers that a mail server adds on delivery. */
function traceOf(session: SMTPServerSession, { to }: Delivery): Buffer {
  const { mailFrom } = session.envelope
  const from = mailFrom ? printable(mailFrom.address) : ''
  const helo = printable(String(session.hostNameAppearsAs || 'unknown'))
  const lines = [
    `Return-Path: <${from}>`,
    ...to.map(address => `Delivered-To: ${printable(address)}`),
    `Received: from ${helo} ([${printable(session.remoteAddress)}])`,
    `\tby deskbell with ${session.transmissionType} id ${session.id}; ${new Date().toUTCString()}`,
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n`)
}

async function* withTrace(trace: Buffer, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield trace
  yield* content
}

async function* refuseOversized(stream: SMTPServerDataStream): AsyncGenerator<Buffer> {
  for await (const chunk of stream) {
    if (stream.sizeExceeded) throw tooLarge()
    yield chunk
  }
  if (stream.sizeExceeded) throw tooLarge()
}

const clientOf = (session: SMTPServerSession): SmtpClient => ({
  ip: session.remoteAddress,
  host: session.clientHostname,
  helo: printable(String(session.hostNameAppearsAs || '')),
  is_secure: session.secure,
})

const addressOf = (from: SMTPServerAddress | false): string => (from ? from.address.replaceAll('\0', '') : '')

function originOfDelivery(session: SMTPServerSession, { recipient, to }: Delivery): MailOrigin {
  return {
    project_id: recipient.project_id,
    mailbox_id: recipient.mailbox_id,
    source: session.transmissionType.startsWith('LMTP') ? 'lmtp' : 'smtp',
    received_at: new Date().toISOString(),
    envelope: { from: addressOf(session.envelope.mailFrom), to, client: clientOf(session) },
  }
}

/** Reads the email as stored for the first mailbox, without the headers that were added there. */
async function* readStored(
  deps: StoreDeps,
  { projectId, id, skip }: { projectId: string; id: string; skip: number },
) {
  const [row] = await deps.db<{ storage_key: string; bucket_id: string | null }[]>`
    select storage_key, bucket_id from incoming_mails where project_id = ${projectId} and id = ${id}`
  const place = row && (await deps.storages.find(row.bucket_id))
  const content = await place?.storage.read(row!.storage_key)
  if (!content) throw new Error('The stored email cannot be read for its next recipient')
  let left = skip
  for await (const chunk of content) {
    yield chunk.subarray(Math.min(left, chunk.length))
    left = Math.max(left - chunk.length, 0)
  }
}

/** Stores the email for each recipient mailbox. Rejects if one of them fails, so that the sender retries. */
export async function receiveMail(
  deps: StoreDeps,
  session: SMTPServerSession,
  stream: SMTPServerDataStream,
): Promise<void> {
  const [first, ...others] = await listDeliveries(deps, session)
  const trace = traceOf(session, first!)
  const content = withTrace(trace, refuseOversized(stream))
  const id = await storeIncoming(deps, originOfDelivery(session, first!), content).catch((error: unknown) => {
    throw error instanceof SourceError ? error.cause : error
  })
  for (const delivery of others) {
    const source = readStored(deps, { projectId: first!.recipient.project_id, id: id!, skip: trace.length })
    const copy = withTrace(traceOf(session, delivery), source)
    await storeIncoming(deps, originOfDelivery(session, delivery), copy)
  }
}
