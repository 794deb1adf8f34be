import Type from 'typebox'
import { id, nullable, oneOf, text } from '../../../core/schema.ts'
import { faultValues, folders, imapInput, mailAddress, start } from '../mailboxes/schema.ts'
import { host, port, security, sending, smtpInput } from '../mailboxes/sending-schema.ts'
import { providers } from './mail-servers.ts'
import { adviceCodes, recordStatuses } from './sender-domain.ts'

/** The shapes for setting up a mailbox. */

const sendingInput = { sending: Type.Optional(sending), smtp: Type.Optional(smtpInput) }

export const mailboxTrial = Type.Object({
  ok: Type.Boolean(),
  code: Type.String({ examples: ['login_refused'] }),
  values: faultValues,
  text: Type.String({ description: 'The result, or the problem and how to correct it' }),
  folders: Type.Array(Type.String(), { description: "The mailbox's folders" }),
  mails: nullable(Type.Integer({ description: 'The number of emails in the first folder' })),
  sending: nullable(
    Type.Object(
      {
        ok: Type.Boolean(),
        code: Type.String({ examples: ['can_send'] }),
        values: faultValues,
        text: Type.String({ description: 'The result, or the problem and how to correct it' }),
      },
      { description: 'The result for sending; null if the mailbox does not send' },
    ),
  ),
})

export const mailboxTry = Type.Object({
  address: mailAddress,
  imap: Type.Optional(imapInput),
  folders: Type.Optional(folders),
  ...sendingInput,
})

export const mailboxDetection = Type.Object({ address: mailAddress })

export const detectedServer = Type.Object({
  address: Type.String({ examples: ['support@example.com'] }),
  provider: nullable(oneOf(providers, { description: 'Null if the provider is unknown' })),
  host: Type.String({ description: 'The IMAP server; empty if unknown', examples: ['imap.example.com'] }),
  smtp: nullable(Type.Object({ host, port, security }, { description: 'The SMTP server; null if unknown' })),
  installation_sends: Type.Boolean({
    description: 'Whether email can be sent through the server of SMTP_URL',
  }),
  is_guess: Type.Boolean({ description: 'Whether the host is only a guess from the domain' }),
  listens_at: Type.Array(Type.String({ examples: ['smtp://0.0.0.0:2525'] }), {
    description: 'Where this server accepts email directly; empty if MAIL_LISTEN is not set',
  }),
})

export const senderDomain = Type.Object({
  domain: Type.String({ examples: ['example.com'] }),
  provider: nullable(
    oneOf(providers, { description: 'The provider whose server sends the email; null if it is unknown' }),
  ),
  records: Type.Array(
    Type.Object({
      kind: oneOf(['spf', 'dkim', 'dmarc'] as const),
      status: oneOf(recordStatuses, {
        description:
          '`ok`: nothing to do. `advice`: works, and can be improved. `missing`: recipients may reject email or mark it as spam. `unknown`: could not be checked',
      }),
      code: oneOf(adviceCodes, { description: 'What was found' }),
      values: faultValues,
      record: nullable(
        Type.String({
          description: 'The record that was found',
          examples: ['v=spf1 include:_spf.google.com ~all'],
        }),
      ),
      publish: Type.Array(
        Type.Object({
          type: oneOf(['TXT', 'CNAME'] as const),
          name: Type.String({ examples: ['example.com'] }),
          content: Type.String({ examples: ['v=spf1 include:_spf.google.com ~all'] }),
        }),
        {
          description: 'The records to publish. A record with the same name that was found must be replaced',
        },
      ),
    }),
  ),
})

export const redirectUri = Type.Object({
  redirect_uri: Type.String({
    description: 'The redirect address to register for the app',
    examples: [
      'https://desk.example.com/p/0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b11/settings/mailboxes/signed-in',
    ],
  }),
})

export const newSignIn = Type.Object({
  address: mailAddress,
  imap: imapInput,
  start_from: Type.Optional(start.start_from),
  start_days: Type.Optional(start.start_days),
  ...sendingInput,
})

export const signInAgain = Type.Object({ imap: Type.Optional(imapInput) })

const authorizeUrl = Type.String({
  description: "The provider's page to open",
  examples: ['https://accounts.google.com/o/oauth2/v2/auth?response_type=code&client_id=desk'],
})

export const begunSignIn = Type.Object({ authorize_url: authorizeUrl })

export const signInReturn = Type.Object({
  state: text(200, { minLength: 1 }),
  code: Type.Optional(text(4_000, { description: 'The authorization code' })),
  error: Type.Optional(text(200, { examples: ['access_denied'] })),
  iss: Type.Optional(text(500, { description: 'The issuer' })),
})

export const signInResult = Type.Object({
  trial: mailboxTrial,
  mailbox_id: nullable({ ...id, description: 'The mailbox; null if a new one was not stored' }),
  is_new: Type.Boolean({ description: 'Whether the sign-in was for a new mailbox' }),
  authorize_url: nullable({
    ...authorizeUrl,
    description: "The provider's page to try again with the same values; null if the tokens were stored",
  }),
})
