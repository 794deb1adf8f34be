import type { MailTexts } from '../../../../core/mail/mail-layout.ts'

/** The texts of emails about bots. `{name}` is replaced with a value. */
export interface BotMailTexts {
  /** Placeholders: {username}, {reason}, {project} */
  outage: MailTexts
}
