import Type from 'typebox'
import { nullable, oneOf, text } from '../../../core/schema.ts'

/** The shapes of the settings for sending. */

export const sending = oneOf(['smtp', 'installation', 'none'] as const, {
  description:
    '`smtp`: through the server in `smtp`. `installation`: through the server of SMTP_URL. `none`: does not send email',
})

export const host = text(253, { minLength: 1, pattern: '^[^\\s/@]+$', examples: ['imap.example.com'] })
export const port = Type.Integer({ minimum: 1, maximum: 65_535, examples: [993] })
export const security = oneOf(['tls', 'starttls', 'none'] as const)

const shape = {
  host: { ...host, examples: ['smtp.example.com'] },
  port: { ...port, examples: [465] },
  security,
  user: text(320, {
    description: 'The user name, with the method `password`',
    examples: ['support@example.com'],
  }),
  auth: oneOf(['imap', 'password', 'none'] as const, {
    description:
      '`imap`: the user and the password, or the OAuth 2 token, of the IMAP server. `password`: a login of its own. `none`: no login',
  }),
}

export const shownSmtp = Type.Object(shape)

export const smtpInput = Type.Object({
  host: Type.Optional(shape.host),
  port: Type.Optional(shape.port),
  security: Type.Optional(shape.security),
  user: Type.Optional(shape.user),
  auth: Type.Optional(shape.auth),
  password: Type.Optional(text(10_000, { minLength: 1, description: 'The password. It is never returned' })),
})

export const sendingSettings = {
  sending,
  send_rate: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    description: 'The most emails that are sent per minute',
    examples: [60],
  }),
  history: oneOf(['none', 'last', 'all'] as const, {
    description: 'Which earlier messages of the ticket are quoted in an answer',
  }),
  saves_sent: Type.Boolean({
    description:
      'Whether Deskbell stores a copy of each sent email in the Sent folder. Not needed if the provider does, such as Gmail',
  }),
  sent_folder: nullable(
    text(255, {
      minLength: 1,
      pattern: '^\\P{Cc}+$',
      description: 'The Sent folder; null for the one that the server names',
      examples: ['Sent'],
    }),
  ),
}
