/** Texts of the server for people, by language: of its mails, its receipts and the help centre. Each folder `texts` has a file for each language. */

/** One text for each plural form that the language has. */
export type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

/** Texts with the language that they are in. */
export interface LocalTexts<T> {
  /** BCP 47, for `lang` attributes, dates and plurals. */
  locale: string
  texts: T
  direction: 'ltr' | 'rtl'
}

/** The texts for a locale; in English if its language has none or no locale is known. */
export function chooseTexts<T>(languages: Record<string, T>, locale: string | null): LocalTexts<T> {
  const texts = locale === null ? undefined : (languages[locale] ?? languages[primaryOf(locale)])
  return locale !== null && texts
    ? { locale, texts, direction: directionOf(locale) }
    : { locale: 'en', texts: languages.en!, direction: 'ltr' }
}

const primaryOf = (locale: string): string => locale.split('-')[0]!.toLowerCase()

export function directionOf(locale: string): 'ltr' | 'rtl' {
  const { direction } = new Intl.Locale(locale).getTextInfo()
  return direction === 'rtl' ? 'rtl' : 'ltr'
}

/** Replaces each `{name}` with the value of that name. */
export const fillPlaceholders = (text: string, values: Record<string, string>): string =>
  text.replaceAll(/\{(\w+)\}/g, (place, name) => values[name] ?? place)

/** The plural form for a count, with the count in it. */
export function countIn({ locale }: { locale: string }, plural: Plural, count: number): string {
  const form = plural[new Intl.PluralRules(locale).select(count)] ?? plural.other
  return fillPlaceholders(form, { count: new Intl.NumberFormat(locale).format(count) })
}
