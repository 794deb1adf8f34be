import { newId } from '../core/ids.ts'
import type { Mailer, OutgoingMail } from '../core/mail/mail.ts'
import { type MailTexts, renderMail } from '../core/mail/mail-layout.ts'
import type { Log } from '../core/telemetry/log.ts'
import type { LocalTexts } from '../core/text/texts.ts'
import type { SecurityChange } from '../users/users.ts'
import type { AccountMailTexts } from './texts/shape.ts'
import { accountMailTextsOf } from './texts/texts.ts'

interface Sender {
  name: string
  color: string | null
  locale: string
}

type Chosen = LocalTexts<AccountMailTexts>

export function inviteMail(
  to: string,
  { name, color, locale }: Sender,
  by: string | null,
  url: string,
): OutgoingMail {
  const language = accountMailTextsOf(locale)
  const { invite, someone } = language.texts
  const values = { project: name, inviter: by ?? someone }
  return {
    id: newId(),
    to: [to],
    sender: name,
    ...renderMail(invite, { language, from: name, color, values, url }),
  }
}

/** A mail that does not belong to a project. */
function accountMail(to: string, url: string, choose: (texts: Chosen['texts']) => MailTexts): OutgoingMail {
  const language = accountMailTextsOf(null)
  const letter = { language, from: 'Deskbell', values: {}, url }
  return { id: newId(), to: [to], ...renderMail(choose(language.texts), letter) }
}

export const resetMail = (to: string, url: string): OutgoingMail => accountMail(to, url, ({ reset }) => reset)

export const accountCreatedMail = (to: string, url: string): OutgoingMail =>
  accountMail(to, url, ({ accountCreated }) => accountCreated)

/** Tells the owner of an account about changes that an intruder would make. */
export const securityMail = (to: string, change: SecurityChange, publicUrl: string): OutgoingMail =>
  accountMail(to, `${publicUrl.replace(/\/$/, '')}/account/security`, ({ security, changes }) => ({
    ...security,
    ...changes[change],
  }))

/** Sends a mail and returns whether it was sent. The person who invites has the link in any case. */
export async function trySendMail(mailer: Mailer | null, mail: OutgoingMail, log: Log): Promise<boolean> {
  if (!mailer) return false
  try {
    await mailer.send(mail)
    return true
  } catch (error) {
    log.warn({ err: error, subject: mail.subject }, 'Could not send a mail; check SMTP_URL')
    return false
  }
}
