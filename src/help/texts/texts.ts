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
import type { Plural, Texts } from './shape.ts'
import { tr } from './tr.ts'
import { uk } from './uk.ts'
import { zh } from './zh.ts'

export const languages: Record<string, Texts> = {
  ...{ ar, de, en, es, fr, he, it, ja, nl, pl, pt, ru, tr, uk, zh },
}

/** A language with its texts of the help centre. */
export interface Wording {
  /** BCP 47, as in the page's `lang`. */
  locale: string
  texts: Texts
  direction: 'ltr' | 'rtl'
}

/** The texts for a locale, by default English. */
export function wordingOf(locale: string): Wording {
  const texts = languages[locale] ?? languages[primaryOf(locale)]
  return texts
    ? { locale, texts, direction: directionOf(locale) }
    : { locale: 'en', texts: en, direction: 'ltr' }
}

const primaryOf = (locale: string): string => locale.split('-')[0]!.toLowerCase()

export function directionOf(locale: string): 'ltr' | 'rtl' {
  const { direction } = (new Intl.Locale(locale) as TextInfo).getTextInfo()
  return direction === 'rtl' ? 'rtl' : 'ltr'
}

/** TypeScript does not declare `getTextInfo` yet. */
type TextInfo = Intl.Locale & { getTextInfo(): { direction?: string } }

/** Replaces the placeholders of a text with values. */
export const fillPlaceholders = (text: string, values: Record<string, string>): string =>
  text.replaceAll(/\{(\w+)\}/g, (place, name) => values[name] ?? place)

/** The plural form of a text for a number, with the number filled in. */
export function countIn({ locale }: Wording, plural: Plural, count: number): string {
  const form = plural[new Intl.PluralRules(locale).select(count)] ?? plural.other
  return fillPlaceholders(form, { count: new Intl.NumberFormat(locale).format(count) })
}

export const dateIn = ({ locale }: Wording, time: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(isoOf(time)))

/** The name of a language in that language. */
export function nameOfLanguage(locale: string): string {
  const name = new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1)
}
