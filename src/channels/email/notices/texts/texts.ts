import { chooseTexts, type LocalTexts } from '../../../../core/text/texts.ts'
import { enNoticeMails as en } from './en.ts'
import type { NoticeMailTexts } from './shape.ts'

const languages: Record<string, NoticeMailTexts> = { en }

/** `locale` is that of the project. */
export const noticeMailTextsOf = (locale: string | null): LocalTexts<NoticeMailTexts> =>
  chooseTexts(languages, locale)
