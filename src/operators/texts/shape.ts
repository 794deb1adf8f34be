import type { MailTexts } from '../../core/mail/mail-layout.ts'
import type { SecurityChange } from '../../users/users.ts'

/** The texts of mails about accounts and invitations. `{name}` is replaced with a value. */
export interface AccountMailTexts {
  /** {project}, {inviter} */
  invite: MailTexts
  /** Replaces {inviter} if the invitation comes from a program. */
  someone: string
  reset: MailTexts
  accountCreated: MailTexts
  security: Pick<MailTexts, 'action' | 'small'>
  /** What each change of an account is called and means. */
  changes: Record<SecurityChange, Pick<MailTexts, 'title' | 'paragraphs'>>
}
