import Type, { type Static } from 'typebox'
import { id, list, nullable, oneOf, paging, text, time } from '../../../core/schema.ts'
import { automaticSettings } from './automatic-schema.ts'
import { host, port, security, sending, sendingSettings, shownSmtp, smtpInput } from './sending-schema.ts'

export const mailAddress = text(254, {
  format: 'email',
  description: 'The address that people write to. It can belong to only one project of the installation',
  examples: ['support@example.com'],
})
const aliases = Type.Array(text(254, { format: 'email', examples: ['help@example.com'] }), {
  maxItems: 50,
  uniqueItems: true,
  description: 'Other addresses that deliver to the same mailbox',
})
const name = text(255, {
  pattern: '^[^\\x00-\\x1f\\x7f-\\x9f]*$',
  description: 'The sender name in replies',
  examples: ['Acme Support'],
})
const incoming = oneOf(['imap', 'listen', 'none'] as const, {
  description:
    '`imap`: fetched from a server. `listen`: received on MAIL_LISTEN. `none`: does not receive email',
})
const state = oneOf(['active', 'paused', 'broken'] as const, {
  description:
    '`paused`: paused by a person. `broken`: not fetched until someone corrects the problem in `last_error`',
})
export const faultValues = Type.Record(Type.String(), Type.String(), {
  description: 'The values in the text, such as the host',
  examples: [{ host: 'imap.example.com' }],
})
const lastError = nullable(
  Type.Object({
    code: Type.String({ examples: ['login_refused'] }),
    values: faultValues,
    text: Type.String({ description: 'The problem and how to correct it, in English' }),
    at: time,
  }),
)

export const mailbox = Type.Object({
  id,
  address: mailAddress,
  aliases,
  name,
  department_id: nullable(id),
  incoming,
  state,
  last_ok_at: nullable(Type.String({ ...time, description: 'When email was last fetched without an error' })),
  last_error: lastError,
  sending,
  send_error: lastError,
  created_at: time,
})
export type Mailbox = Static<typeof mailbox>
export const mailboxPage = list(mailbox)
export const mailboxOutages = Type.Object({
  items: Type.Array(
    Type.Object({
      mailbox_id: id,
      address: mailAddress,
      problem: oneOf(['receiving', 'sending'] as const, { description: 'What does not work' }),
      failing_since: time,
    }),
  ),
})
export const mailboxQuery = Type.Object(paging)

const oauthShape = {
  provider: oneOf(['microsoft', 'google', 'custom'] as const),
  grant: oneOf(['refresh_token', 'client_credentials'] as const, {
    description: '`client_credentials` is for an app that logs in without a user',
  }),
  client_id: text(500, { minLength: 1, examples: ['5f0c1c2e-desk'] }),
  token_url: text(500, { pattern: '^https?://', examples: ['https://login.example.com/token'] }),
  scope: text(1_000, { examples: ['https://mail.google.com/'] }),
}

const authorizeUrl = Type.Optional(
  text(500, {
    pattern: '^https?://',
    description: 'Where a person signs in. Not needed for `microsoft` and `google`',
    examples: ['https://login.example.com/authorize'],
  }),
)

const imapShape = {
  host,
  port,
  security,
  user: text(320, {
    minLength: 1,
    description: 'The user name; for a shared mailbox, its own address',
    examples: ['support@example.com'],
  }),
  auth: oneOf(['password', 'oauth'] as const),
}

const shownImap = Type.Object({
  ...imapShape,
  oauth: nullable(Type.Object({ ...oauthShape, authorize_url: authorizeUrl })),
})

const secret = (description: string) =>
  Type.Optional(text(10_000, { minLength: 1, description: `${description}. It is never returned` }))

export const imapInput = Type.Object({
  host: Type.Optional(imapShape.host),
  port: Type.Optional(imapShape.port),
  security: Type.Optional(imapShape.security),
  user: Type.Optional(imapShape.user),
  auth: Type.Optional(imapShape.auth),
  password: secret('The password'),
  oauth: Type.Optional(
    Type.Object({
      provider: Type.Optional(oauthShape.provider),
      grant: Type.Optional(oauthShape.grant),
      client_id: Type.Optional(oauthShape.client_id),
      client_secret: secret("The app's client secret"),
      refresh_token: secret('The refresh token'),
      tenant: Type.Optional(
        text(100, {
          pattern: '^[\\w.-]+$',
          description: 'For `microsoft`: the tenant of the app, as an alternative to `token_url`',
          examples: ['contoso.onmicrosoft.com'],
        }),
      ),
      authorize_url: authorizeUrl,
      token_url: Type.Optional(oauthShape.token_url),
      scope: Type.Optional(oauthShape.scope),
    }),
  ),
})

const folder = text(255, { minLength: 1, pattern: '^\\P{Cc}+$', examples: ['INBOX'] })
export const folders = Type.Array(folder, { minItems: 1, maxItems: 20, uniqueItems: true })
const senders = Type.Array(text(254, { minLength: 1 }), { maxItems: 50 })

export const start = {
  start_from: oneOf(['now', 'days', 'all'] as const, {
    description: 'Which existing email is fetched at the first connection',
  }),
  start_days: nullable(Type.Integer({ minimum: 1, maximum: 3_650 })),
}

const settingsShape = {
  ...sendingSettings,
  signature: text(10_000),
  ...automaticSettings,
  folders,
  after_fetch: oneOf(['leave', 'seen', 'move', 'delete'] as const, {
    description: 'What to do with stored email on the server',
  }),
  after_fetch_days: Type.Integer({
    minimum: 0,
    maximum: 3_650,
    description: 'For `delete`: days until stored email is deleted from the server',
  }),
  after_fetch_folder: nullable(folder),
  ...start,
  plus_works: nullable(
    Type.Boolean({ description: 'Whether the server delivers email to `name+tag@`; null if unknown' }),
  ),
  authserv_ids: Type.Array(text(253, { minLength: 1, examples: ['mx.example.com'] }), { maxItems: 20 }),
  form_senders: senders,
  trusts_spam_headers: Type.Boolean({
    description:
      'Whether your own mail server writes the `X-Spam` headers. Emails that they flag as spam become tickets marked as spam',
  }),
}

export const mailboxSettings = Type.Object({
  ...mailbox.properties,
  ...settingsShape,
  imap: nullable(shownImap),
  smtp: nullable(shownSmtp),
  backoff_until: nullable(time),
  send_backoff_until: nullable(time),
  import_progress: nullable(
    Type.Number({ description: 'The progress between 0 and 1 while older email is being fetched' }),
  ),
  version: Type.Integer(),
})
export const mailboxSettingsList = Type.Object({ items: Type.Array(mailboxSettings) })

const changeable = {
  aliases: Type.Optional(aliases),
  name: Type.Optional(name),
  department_id: Type.Optional(nullable(id)),
  imap: Type.Optional(imapInput),
  smtp: Type.Optional(smtpInput),
  ...Type.Partial(Type.Object(settingsShape)).properties,
}

export const newMailbox = Type.Object({ address: mailAddress, incoming, ...changeable })

export const mailboxChange = Type.Object({ incoming: Type.Optional(incoming), ...changeable })
