import { chooseTexts, type LocalTexts } from '../../core/text/texts.ts'
import { isoOf } from '../../core/time.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { he } from './he.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import { ru } from './ru.ts'
import type { Texts } from './shape.ts'
import { tr } from './tr.ts'
import { uk } from './uk.ts'
import { zh } from './zh.ts'

export const languages: Record<string, Texts> = {
  ...{ ar, de, en, es, fr, he, it, ja, nl, pl, pt, ru, tr, uk, zh },
}

/** A language with its texts of the help centre. */
export type Wording = LocalTexts<Texts>

/** The texts for a locale, by default English. */
export const wordingOf = (locale: string): Wording => chooseTexts(languages, locale)

export const dateIn = ({ locale }: Wording, time: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(isoOf(time)))

/** The name of a language in that language. */
export function nameOfLanguage(locale: string): string {
  const name = new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1)
}
