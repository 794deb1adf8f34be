import { Readable } from 'node:stream'
import { composeEmail } from '../../src/mail/compose/compose-email.ts'
import type { OutgoingEmail, OutgoingFile } from '../../src/mail/compose/outgoing-email.ts'
import type { Mail } from '../../src/mail/mail.ts'
import { readMail } from './corpus-mails.ts'

/** Composes emails for tests. */

export const makeOutgoing = (fields: Partial<OutgoingEmail> = {}): OutgoingEmail => ({
  messageId: 'm.one@acme.example',
  date: new Date('2026-11-03T08:00:00Z'),
  from: { name: 'Omar (Acme Support)', address: 'support@acme.example' },
  replyTo: null,
  to: [{ name: 'Ann Berger', address: 'ann.berger@example.com' }],
  cc: [],
  subject: 'Re: Lamp 4711',
  inReplyTo: null,
  references: [],
  anchor: null,
  threadIndex: null,
  threadTopic: 'Lamp 4711',
  content: { text: 'Hello Ann,\n\nWhich colour do you want?', html: null },
  signature: null,
  history: [],
  files: [],
  links: [],
  color: null,
  language: 'en',
  automatic: null,
  listUnsubscribe: null,
  dkim: null,
  ...fields,
})

export const makeFile = (
  name: string,
  content: Buffer | string,
  fields: Partial<OutgoingFile> = {},
): OutgoingFile => ({
  name,
  type: 'application/octet-stream',
  size: Buffer.byteLength(content),
  contentId: null,
  open: async () => Readable.from([Buffer.from(content)]),
  ...fields,
})

/** The bytes of an email. */
export async function compose(fields: Partial<OutgoingEmail> = {}): Promise<Buffer> {
  return Buffer.concat(await (await composeEmail(makeOutgoing(fields))).toArray())
}

/** The email as Deskbell reads it when it arrives. */
export const composeAndRead = async (fields: Partial<OutgoingEmail> = {}): Promise<Mail> =>
  readMail(await compose(fields))

/** The header of an email, as sent. */
export const headOf = (email: Buffer): string => email.toString('latin1').split('\r\n\r\n')[0]!
