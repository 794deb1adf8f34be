import { chooseTexts, type LocalTexts } from '../../../../core/text/texts.ts'
import { enBotMails as en } from './en.ts'
import type { BotMailTexts } from './shape.ts'

const languages: Record<string, BotMailTexts> = { en }

/** `locale` is that of the project. */
export const botMailTextsOf = (locale: string | null): LocalTexts<BotMailTexts> =>
  chooseTexts(languages, locale)
