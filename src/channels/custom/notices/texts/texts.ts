import { chooseTexts, type LocalTexts } from '../../../../core/text/texts.ts'
import { enChannelMails as en } from './en.ts'
import type { ChannelMailTexts } from './shape.ts'

const languages: Record<string, ChannelMailTexts> = { en }

/** `locale` is that of the project. */
export const channelMailTextsOf = (locale: string | null): LocalTexts<ChannelMailTexts> =>
  chooseTexts(languages, locale)
