import type { MailTexts } from '../../../../core/mail/mail-layout.ts'
import type { NoticeKind } from '../../../../operators/operators.ts'

/** The texts of emails to operators about tickets. `{name}` is replaced with a value. */
export interface NoticeMailTexts {
  /** Placeholders: {author}, {ticket}, {number} */
  headings: Record<NoticeKind, Required<Pick<MailTexts, 'subject' | 'title'>>>
  /** Above the messages of a ticket that was assigned. */
  assigned: string
  /** Above each message. {author} */
  wrote: string
  /** Used instead of {author} if the name is unknown. */
  someone: string
  /** Used instead of the text of a message that contains only files. */
  files: string
  action: string
  /** What a reply to the email becomes. Placeholder: {customer} */
  answers: Record<'reply' | 'note' | 'none', string>
  settings: string
}
