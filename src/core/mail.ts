import type { Config } from './config.ts'
import { SetupError } from './setup-error.ts'

export interface Mail {
  /** The same for every attempt, so that a mailbox shows it once. */
  id: string
  to: string[]
  subject: string
  text: string
  html?: string
}

export interface Mailer {
  send(mail: Mail): Promise<void>
}

/** Milliseconds. */
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

/** Null where mail is not set up. The library is loaded where it is wanted. */
export function createMailer({
  smtpUrl,
  mailFrom: from,
}: Pick<Config, 'smtpUrl' | 'mailFrom'>): Mailer | null {
  if (!smtpUrl) return null
  if (!from)
    throw new SetupError('MAIL_FROM: set it too, to the sender of the mails that go through SMTP_URL')
  const host = /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost'
  return {
    async send({ id, ...mail }) {
      const { createTransport } = await import('nodemailer')
      const transport = createTransport({ url: smtpUrl, ...patience })
      try {
        await transport.sendMail({ ...mail, from, messageId: `<${id}@${host}>` })
      } finally {
        transport.close()
      }
    },
  }
}
