import { newId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import type { Mailer, OutgoingMail } from '../core/mail.ts'
import { type MailContent, renderMail } from '../core/mail-layout.ts'
import type { SecurityChange } from '../users/users.ts'

interface Sender {
  name: string
  color: string | null
}

/** The name in mails that do not belong to a project. */
const product = 'Deskbell'

const compose = (to: string, subject: string, letter: MailContent): OutgoingMail => ({
  id: newId(),
  to: [to],
  subject,
  ...(letter.from !== product && { sender: letter.from }),
  ...renderMail(letter),
})

export const inviteMail = (
  to: string,
  { name, color }: Sender,
  by: string | null,
  url: string,
): OutgoingMail =>
  compose(to, `Join ${name} on Deskbell`, {
    from: name,
    color,
    title: `Join ${name} on Deskbell`,
    paragraphs: [`${by ?? 'Someone'} invited you to answer customers together in ${name}.`],
    action: { label: 'Accept invite', url },
    small:
      "This link works once and expires in 7 days. If you didn't expect this invite, you can ignore this email.",
  })

export const resetMail = (to: string, url: string): OutgoingMail =>
  compose(to, 'Reset your password', {
    from: product,
    title: 'Reset your password',
    paragraphs: [
      'Someone asked to reset the password for this address. If it was you, choose a new password.',
    ],
    action: { label: 'Reset your password', url },
    small:
      "This link works once and expires in 1 hour. If it wasn't you, you can ignore this email. Your password stays the same.",
  })

interface Words {
  title: string
  about: string[]
}

const changed: Record<SecurityChange, Words> = {
  password_changed: {
    title: 'Your password was changed',
    about: ['The password for your account was changed. All other sessions were signed out.'],
  },
  password_reset: {
    title: 'Your password was changed',
    about: [
      'The password for your account was reset with a link. All sessions were signed out.',
      "Your authenticator app and passkeys haven't changed. You can check them in your account, under Security.",
    ],
  },
  second_step_off: {
    title: 'Two-factor authentication was turned off',
    about: ['You can now sign in to your account with only your password.'],
  },
  passkey_added: {
    title: 'A passkey was added to your account',
    about: ['You can now sign in to your account with this passkey, without a password.'],
  },
  passkey_removed: {
    title: 'A passkey was removed from your account',
    about: ['You can no longer sign in to your account with this passkey.'],
  },
  recovery_code_used: {
    title: 'A recovery code was used',
    about: [
      'A recovery code was used to sign in to your account. That code no longer works.',
      'In your account, under Security, you can see how many codes are left and create new ones.',
    ],
  },
}

/** Tells the owner of an account about changes that an intruder would make. */
export function securityMail(to: string, change: SecurityChange, publicUrl: string): OutgoingMail {
  const { title, about } = changed[change]
  return compose(to, title, {
    from: product,
    title,
    paragraphs: about,
    action: { label: 'Review security settings', url: `${publicUrl.replace(/\/$/, '')}/account/security` },
    small:
      "If this wasn't you, change your password and end all other sessions right away. If you can't sign in, ask an owner of your project for a password reset link.",
  })
}

export const accountCreatedMail = (to: string, url: string): OutgoingMail =>
  compose(to, 'Your Deskbell account was created', {
    from: product,
    title: 'Your Deskbell account was created',
    paragraphs: ['An account for this address was created with a link.'],
    action: { label: 'Sign in', url },
    small: "If this wasn't you, reset your password on the sign-in page and tell an owner of your project.",
  })

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
