import { chooseTexts, type LocalTexts } from '../../../../core/text/texts.ts'
import { enMailboxMails as en } from './en.ts'
import type { MailboxMailTexts } from './shape.ts'

const languages: Record<string, MailboxMailTexts> = { en }

/** `locale` is that of the project. */
export const mailboxMailTextsOf = (locale: string | null): LocalTexts<MailboxMailTexts> =>
  chooseTexts(languages, locale)
