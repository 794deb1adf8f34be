import type { MailTexts } from '../../../../core/mail/mail-layout.ts'

/** The texts of emails about mailboxes. `{name}` is replaced with a value. */
export interface MailboxMailTexts {
  /** Placeholders: {address}, {reason}, {project} */
  receiving: MailTexts
  /** Placeholders: Placeholders: {address}, {reason}, {project} */
  sending: MailTexts
  /** The test email that a mailbox sends to itself. */
  probe: { subject: string; text: string }
}
