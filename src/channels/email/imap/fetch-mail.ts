import type { FetchQueryObject, ImapFlow } from 'imapflow'
import { type MailOrigin, maxMailBytes, type StoreDeps, storeIncoming } from '../incoming/store.ts'

/** Bytes. Smaller emails are fetched in one response, larger ones in chunks of this size. */
const partBytes = 1024 * 1024

/** Bytes. Only the headers of an oversized email are kept, up to this size. */
const maxHeaderBytes = 256 * 1024

export interface ListedMessage {
  uid: number
  /** Bytes; 0 if the server did not report a size. */
  size: number
  receivedAt: Date | null
}

const missing = (uid: number): Error =>
  new Error(`The server returned no content for the email with UID ${uid}`)

async function readSource(
  client: ImapFlow,
  uid: number,
  source: FetchQueryObject['source'],
): Promise<Buffer> {
  const found = await client.fetchOne(String(uid), { uid: true, source }, { uid: true })
  const content = found ? found.source : undefined
  if (!content) throw missing(uid)
  return content
}

async function* readWhole(client: ImapFlow, { uid }: ListedMessage): AsyncGenerator<Buffer> {
  yield await readSource(client, uid, true)
}

async function* readInParts(client: ImapFlow, { uid, size }: ListedMessage): AsyncGenerator<Buffer> {
  const options = { uid: true, chunkSize: partBytes, maxBytes: maxMailBytes }
  const { content } = await client.download(String(uid), undefined, options)
  if (!content) throw missing(uid)
  let read = 0
  for await (const chunk of content) {
    read += chunk.length
    yield chunk
  }
  if (read === 0 && size > 0) throw missing(uid)
}

async function* readHeaders(client: ImapFlow, { uid, size }: ListedMessage): AsyncGenerator<Buffer> {
  const source = await readSource(client, uid, { start: 0, maxLength: maxHeaderBytes })
  const end = source.indexOf('\r\n\r\n')
  yield end < 0 ? source : source.subarray(0, end + 2)
  const megabytes = Math.ceil(size / 1024 / 1024)
  yield Buffer.from(
    `Content-Type: text/plain; charset=utf-8\r\n\r\nThis email is too large to be fetched (${megabytes} MB). It is still on the mail server.\r\n`,
  )
}

/** Drops the headers that describe the original body's encoding, because a sentence replaces that body. */
async function* withoutBodyHeaders(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const chunk of content) {
    const text = isFirst ? chunk.toString('latin1') : null
    isFirst = false
    yield text === null
      ? chunk
      : Buffer.from(text.replace(/^content-[a-z-]+:.*\r\n(?:[ \t].*\r\n)*/gim, ''), 'latin1')
  }
}

/** Stores one email. Returns its id, or null if it is already stored. */
export function fetchMail(
  client: ImapFlow,
  deps: StoreDeps,
  origin: MailOrigin,
  message: ListedMessage,
): Promise<string | null> {
  if (message.size > maxMailBytes) {
    const content = withoutBodyHeaders(readHeaders(client, message))
    return storeIncoming(deps, origin, content, { isPartial: true, fullSize: message.size })
  }
  const isSmall = message.size > 0 && message.size <= partBytes
  return storeIncoming(deps, origin, isSmall ? readWhole(client, message) : readInParts(client, message))
}
