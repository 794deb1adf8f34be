import { newId } from '../core/ids.ts'
import { type Letter, writeLetter } from '../core/letter.ts'
import type { Log } from '../core/log.ts'
import type { Mail, Mailer } from '../core/mail.ts'

interface Sender {
  name: string
  color: string | null
}

const compose = (to: string, subject: string, letter: Letter): Mail => ({
  id: newId(),
  to: [to],
  subject,
  ...writeLetter(letter),
})

export const inviteLetter = (to: string, { name, color }: Sender, by: string | null, url: string): Mail =>
  compose(to, `Join ${name} on Deskbell`, {
    from: name,
    color,
    title: `Answer customers for ${name}`,
    paragraphs: [`${by ?? 'Somebody'} invites you to ${name}, where you answer customers together.`],
    action: { label: 'Accept the invitation', url },
    small: 'The link works once, within 7 days. If you did not expect it, there is nothing you need to do.',
  })

export const resetLetter = (to: string, url: string): Mail =>
  compose(to, 'Choose a new password', {
    from: 'Deskbell',
    title: 'Choose a new password',
    paragraphs: ['Somebody, hopefully you, asked for a new password for this address.'],
    action: { label: 'Choose a new password', url },
    small:
      'The link works once, within one hour. If you did not ask for it, there is nothing you need to do: your password stays as it is.',
  })

/** Whether it went out: whoever invites has the link in any case. */
export async function trySending(mailer: Mailer | null, mail: Mail, log: Log): Promise<boolean> {
  if (!mailer) return false
  try {
    await mailer.send(mail)
    return true
  } catch (error) {
    log.warn({ err: error, subject: mail.subject }, 'A mail could not be sent; see SMTP_URL')
    return false
  }
}
