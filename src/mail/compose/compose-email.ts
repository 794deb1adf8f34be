import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { MailComposerAttachment, MailComposerOptions } from 'nodemailer/lib/mail-composer'
import { domainOf } from '../../core/email.ts'
import type { MailAddress } from '../mail.ts'
import { cleanHeader, cleanMailId } from './clean-header.ts'
import { makeSigner } from './dkim.ts'
import { contentIdOf } from './mail-html.ts'
import type { OutgoingEmail, OutgoingFile } from './outgoing-email.ts'
import { limitHistory } from './quoted-history.ts'
import { listMailReferences } from './references.ts'
import { makeThreadIndex } from './thread-index.ts'
import { writeMailHtml } from './write-html.ts'
import { writeMailText } from './write-text.ts'

const cleanAddress = ({ address, name }: MailAddress) => ({
  address: cleanHeader(address),
  name: cleanHeader(name ?? ''),
})

function listHeaders({ automatic, listUnsubscribe, ...email }: OutgoingEmail): Record<string, string> {
  const isUrl = /^(?:https|mailto):[\x21-\x7e]{1,800}$/i.test(listUnsubscribe ?? '')
  return {
    'Thread-Topic': cleanHeader(email.threadTopic),
    'Thread-Index': makeThreadIndex(email.threadIndex, email.date, email.messageId),
    ...(automatic && { 'Auto-Submitted': `auto-${automatic.kind}`, 'X-Auto-Response-Suppress': 'All' }),
    ...(isUrl && { 'List-Unsubscribe': `<${listUnsubscribe!.replaceAll(/[<>]/g, '')}>` }),
  }
}

/** Opens the file when its first byte is read, so that an email with many files has one of them open. */
const readLate = ({ open }: OutgoingFile): Readable =>
  Readable.from(
    (async function* () {
      yield* await open()
    })(),
    { objectMode: false },
  )

/** An attached email must not be encoded, but bytes that nobody has checked cannot be sent otherwise. So it is sent as a file. */
const typeOf = ({ type }: OutgoingFile): string =>
  /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(type) && !/^(?:multipart|message)\//i.test(type)
    ? type.toLowerCase()
    : 'application/octet-stream'

function attach(file: OutgoingFile, cid: string | null): MailComposerAttachment {
  return {
    filename: cleanHeader(file.name).replaceAll(/[/\\]/g, '_') || 'file',
    contentType: typeOf(file),
    contentDisposition: cid === null ? 'attachment' : 'inline',
    content: readLate(file),
    ...(cid !== null && { cid }),
  }
}

function listAttachments({ files, from }: OutgoingEmail, html: string): MailComposerAttachment[] {
  const domain = domainOf(cleanHeader(from.address))
  return files.map(file => {
    const cid = file.contentId === null ? null : contentIdOf(file, domain)
    return attach(file, cid !== null && html.includes(`"cid:${cid}"`) ? cid : null)
  })
}

const withCrlf = (text: string): string => text.replaceAll(/\r\n?|\n/g, '\r\n')

function toOptions(email: OutgoingEmail): MailComposerOptions {
  const html = writeMailHtml(email)
  const inReplyTo = email.inReplyTo === null ? null : cleanMailId(email.inReplyTo)
  return {
    from: cleanAddress(email.from),
    to: email.to.map(cleanAddress),
    cc: email.cc.map(cleanAddress),
    ...(email.replyTo && { replyTo: cleanAddress(email.replyTo) }),
    date: email.date,
    messageId: `<${email.messageId}>`,
    ...(inReplyTo !== null && { inReplyTo: `<${inReplyTo}>` }),
    references: listMailReferences(email).map(id => `<${id}>`),
    subject: cleanHeader(email.subject),
    headers: listHeaders(email),
    text: withCrlf(writeMailText(email)),
    html: withCrlf(html),
    attachments: listAttachments(email, html),
    baseBoundary: createHash('sha256').update(email.messageId).digest('hex').slice(0, 32),
    boundaryPrefix: '--_part',
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/**
 * The bytes of an email, with CRLF. Files are read one after another while the stream is read; if one cannot be read, the stream
 * fails with its error. Loads nodemailer at its first use.
 */
export async function composeEmail(email: OutgoingEmail): Promise<Readable> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const sign = email.dkim && (await makeSigner(email.dkim))
  const message = new MailComposer(toOptions({ ...email, history: limitHistory(email.history) })).compile()
  if (sign) message.processFunc(sign)
  return message.createReadStream()
}
