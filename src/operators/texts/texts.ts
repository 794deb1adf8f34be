import { chooseTexts, type LocalTexts } from '../../core/text/texts.ts'
import { enAccountMails as en } from './en.ts'
import type { AccountMailTexts } from './shape.ts'

const languages: Record<string, AccountMailTexts> = { en }

/** `locale` is that of the project; null in mails that belong to none, because accounts have no language. */
export const accountMailTextsOf = (locale: string | null): LocalTexts<AccountMailTexts> =>
  chooseTexts(languages, locale)
