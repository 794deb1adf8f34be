import { chooseTexts, type LocalTexts } from '../../core/text/texts.ts'
import { enDigest as en } from './en.ts'
import type { DigestTexts } from './shape.ts'

const languages: Record<string, DigestTexts> = { en }

/** `locale` is that of the project; null on pages that belong to none, because accounts have no language. */
export const digestTextsOf = (locale: string | null): LocalTexts<DigestTexts> =>
  chooseTexts(languages, locale)
