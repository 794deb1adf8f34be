import type { MailTexts } from '../../core/mail/mail-layout.ts'

/** The texts of emails to contacts about their addresses. */
export interface IdentityMailTexts {
  /** With the code that proves that the address belongs to the contact. */
  code: MailTexts
}
