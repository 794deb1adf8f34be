import { newId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import type { Mail, Mailer } from '../core/mail.ts'
import { type MailContent, renderMail } from '../core/mail-layout.ts'
import type { SecurityChange } from '../users/users.ts'

interface Sender {
  name: string
  color: string | null
}

/** The name in mails that do not belong to a project. */
const product = 'Deskbell'

const compose = (to: string, subject: string, letter: MailContent): Mail => ({
  id: newId(),
  to: [to],
  subject,
  ...(letter.from !== product && { sender: letter.from }),
  ...renderMail(letter),
})

export const inviteMail = (to: string, { name, color }: Sender, by: string | null, url: string): Mail =>
  compose(to, `Join ${name} on Deskbell`, {
    from: name,
    color,
    title: `Answer customers for ${name}`,
    paragraphs: [`${by ?? 'Somebody'} invites you to ${name}, where you answer customers together.`],
    action: { label: 'Accept the invitation', url },
    small: 'The link works once, within 7 days. If you did not expect it, there is nothing you need to do.',
  })

export const resetMail = (to: string, url: string): Mail =>
  compose(to, 'Choose a new password', {
    from: product,
    title: 'Choose a new password',
    paragraphs: ['Somebody, hopefully you, asked for a new password for this address.'],
    action: { label: 'Choose a new password', url },
    small:
      'The link works once, within one hour. If you did not ask for it, there is nothing you need to do: your password stays as it is.',
  })

interface Words {
  title: string
  about: string[]
}

const changed: Record<SecurityChange, Words> = {
  password_changed: {
    title: 'Your password was changed',
    about: ['Somebody, hopefully you, changed the password of your account. All other sessions have ended.'],
  },
  password_reset: {
    title: 'Your password was changed',
    about: [
      'Somebody, hopefully you, chose a new password with a link. All sessions of your account have ended.',
      'Your authenticator app and passkeys have not changed. You can check them in your profile, under Security.',
    ],
  },
  second_step_off: {
    title: 'Your second step was turned off',
    about: ['Somebody, hopefully you, turned it off. Your password alone now signs in to your account.'],
  },
  passkey_added: {
    title: 'A passkey was added to your account',
    about: ['Somebody, hopefully you, added a passkey. It signs in to your account without a password.'],
  },
  passkey_removed: {
    title: 'A passkey was removed from your account',
    about: ['Somebody, hopefully you, removed a passkey. It no longer signs in to your account.'],
  },
  recovery_code_used: {
    title: 'A recovery code was used',
    about: [
      'Somebody, hopefully you, signed in to your account with a recovery code. That code no longer works.',
      'The Security page of your account shows how many codes are left, and creates new ones.',
    ],
  },
}

/** Tells the owner of an account about changes that an intruder would make. */
export function securityMail(to: string, change: SecurityChange, publicUrl: string): Mail {
  const { title, about } = changed[change]
  return compose(to, title, {
    from: product,
    title,
    paragraphs: about,
    action: { label: 'See how you sign in', url: `${publicUrl.replace(/\/$/, '')}/account/security` },
    small:
      'If this was not you, change your password there and end all other sessions at once. If you cannot sign in, ask an owner of your project for a new password link.',
  })
}

export const accountCreatedMail = (to: string, url: string): Mail =>
  compose(to, 'You have an account on Deskbell', {
    from: product,
    title: 'You have an account on Deskbell',
    paragraphs: ['Somebody, hopefully you, created an account for this address with a link.'],
    action: { label: 'Sign in', url },
    small:
      'If this was not you, choose a new password on the sign-in page, and tell an owner of your project.',
  })

/** Sends a mail and returns whether it was sent. The person who invites has the link in any case. */
export async function trySendMail(mailer: Mailer | null, mail: Mail, log: Log): Promise<boolean> {
  if (!mailer) return false
  try {
    await mailer.send(mail)
    return true
  } catch (error) {
    log.warn({ err: error, subject: mail.subject }, 'A mail could not be sent; see SMTP_URL')
    return false
  }
}
