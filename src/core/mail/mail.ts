import type { Transporter } from 'nodemailer'
import type { Config } from '../config/config.ts'
import { SettingError } from '../config/setup-error.ts'
import { counter } from '../telemetry/metrics.ts'

export interface OutgoingMail {
  /** The same in every attempt, so that a mailbox shows the mail only once. */
  id: string
  to: string[]
  /** The sender's name; by default, the one in MAIL_FROM. The address is always that of MAIL_FROM. */
  sender?: string
  /** The address for replies; by default, that of MAIL_FROM. */
  replyTo?: string
  /** Where the recipient ends such mails with one click (RFC 8058). */
  unsubscribeUrl?: string
  subject: string
  text: string
  html?: string
}

export interface Mailer {
  send(mail: OutgoingMail): Promise<void>
}

/** Milliseconds. */
const smtpTimeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

/** RFC 3834: tells vacation notices and other automatic responders not to reply. */
const headers = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }

const headersWith = (unsubscribeUrl: string | undefined): Record<string, string> => ({
  ...headers,
  ...(unsubscribeUrl && {
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }),
})

/** Null if no mail server is configured. */
export function createMailer({
  smtpUrl,
  mailFrom: from,
}: Pick<Config, 'smtpUrl' | 'mailFrom'>): Mailer | null {
  if (!smtpUrl) return null
  if (!from)
    throw new SettingError('MAIL_FROM: set it too, to the sender of the mails that go through SMTP_URL')
  const host = /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost'
  return {
    send: ({ id, sender, unsubscribeUrl, ...mail }) =>
      counted(
        connectTo(smtpUrl, transport =>
          transport.sendMail({
            ...mail,
            from: named(from, sender),
            headers: headersWith(unsubscribeUrl),
            messageId: `<${id}@${host}>`,
          }),
        ),
      ),
  }
}

/** `Desk <desk@example.com>` or the address alone. */
function named(from: string, sender?: string) {
  const [, name = '', address = from] = /^([^<]*)<([^<>]*)>$/.exec(from.trim()) ?? []
  return { name: sender ?? name.trim().replace(/^"(.*)"$/, '$1'), address }
}

const mails = counter(
  'deskbell_mails_total',
  'Mails that the mail server accepted from this process, and mails that could not be sent',
  'result',
  ['sent', 'failed'],
)

async function counted(sending: Promise<void>): Promise<void> {
  try {
    await sending
    mails.sent++
  } catch (error) {
    mails.failed++
    throw error
  }
}

/** Rejects if the server does not respond, or refuses the login. */
export const tryMailServer = (smtpUrl: string): Promise<void> =>
  connectTo(smtpUrl, transport => transport.verify())

/** Loads the mail library only when it is needed. */
async function connectTo(url: string, work: (transport: Transporter) => Promise<unknown>): Promise<void> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({ url, ...smtpTimeouts })
  try {
    await work(transport)
  } finally {
    transport.close()
  }
}
