import type { MailTexts } from '../../../../core/mail-layout.ts'
import type { NoticeKind } from '../../../../operators/operators.ts'

/** The texts of emails to operators about tickets. `{name}` is replaced with a value. */
export interface NoticeMailTexts {
  /** By what happened. {author}, {ticket}, {number} */
  headings: Record<NoticeKind, Required<Pick<MailTexts, 'subject' | 'title'>>>
  /** The first line if a ticket with messages was assigned too. */
  assigned: string
  /** Above each message. {author} */
  wrote: string
  /** Replaces {author} if no name is known. */
  someone: string
  /** A message that has only files. */
  files: string
  action: string
  /** What an answer to the email becomes. {customer} */
  answers: Record<'reply' | 'note' | 'none', string>
  settings: string
}
