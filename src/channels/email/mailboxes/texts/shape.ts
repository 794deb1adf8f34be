import type { MailTexts } from '../../../../core/mail-layout.ts'

/** The texts of emails about mailboxes. `{name}` is replaced with a value. */
export interface MailboxMailTexts {
  /** {address}, {reason}, {project} */
  failing: MailTexts
}
