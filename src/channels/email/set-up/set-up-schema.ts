import Type from 'typebox'
import { nullable, oneOf } from '../../../core/schema.ts'
import { faultValues, folders, imapInput, mailAddress } from '../mailboxes/schema.ts'
import { providers } from './mail-servers.ts'

/** The shapes for setting up a mailbox. */

export const mailboxTrial = Type.Object({
  ok: Type.Boolean(),
  code: Type.String({ examples: ['login_refused'] }),
  values: faultValues,
  text: Type.String({ description: 'The result, or the problem and how to correct it' }),
  folders: Type.Array(Type.String(), { description: "The mailbox's folders" }),
  mails: nullable(Type.Integer({ description: 'The number of emails in the first folder' })),
})

export const mailboxTry = Type.Object({
  address: mailAddress,
  imap: imapInput,
  folders: Type.Optional(folders),
})

export const mailboxDetection = Type.Object({ address: mailAddress })

export const detectedServer = Type.Object({
  address: Type.String({ examples: ['support@example.com'] }),
  provider: nullable(oneOf(providers, { description: 'Null if the provider is unknown' })),
  host: Type.String({ description: 'The IMAP server; empty if unknown', examples: ['imap.example.com'] }),
  is_guess: Type.Boolean({ description: 'Whether the host is only a guess from the domain' }),
  listens_at: Type.Array(Type.String({ examples: ['smtp://0.0.0.0:2525'] }), {
    description: 'Where this server accepts email directly; empty if MAIL_LISTEN is not set',
  }),
})
