import type { MailTexts } from '../../../../core/mail/mail-layout.ts'

/** The texts of emails about custom channels. `{name}` is replaced with a value. */
export interface ChannelMailTexts {
  /** Placeholders: {title}, {project} */
  outage: MailTexts
}
