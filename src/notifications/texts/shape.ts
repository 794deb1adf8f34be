import type { MailTexts } from '../../core/mail/mail-layout.ts'
import type { Plural } from '../../core/text/texts.ts'
import type { DigestKind } from '../digest-queries.ts'

/** The texts of the email that lists what waits for an operator. `{name}` is replaced with a value. */
export interface DigestTexts {
  /** Placeholder: {project} */
  mail: Required<MailTexts>
  /** {count} */
  lists: Record<DigestKind, string>
  /** Under each ticket. {contact}, {time} */
  waiting: string
  /** Used instead of {contact} if the name is unknown. */
  someone: string
  /** After the tickets that are listed. {count} */
  more: Plural
  /** The page that the link of the email opens. */
  page: Record<'title' | 'question' | 'action' | 'done', string>
}
