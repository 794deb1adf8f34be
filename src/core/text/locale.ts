import { refuse } from '../errors.ts'

/** The canonical spelling of a language tag (`pt-br` becomes `pt-BR`); null if it is not a language tag. */
export function readLocale(text: string): string | null {
  try {
    const [locale] = Intl.getCanonicalLocales(text)
    return locale && locale.length <= 35 ? locale : null
  } catch {
    return null
  }
}

/** The locale for a look-up. Text that is not a language tag is returned unchanged, and matches no translation. */
export const spellLocale = (text: string): string => readLocale(text) ?? text

/** Converts the language tags of texts to their canonical spelling. */
export function spellLocales<T>(field: string, texts: Record<string, T>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(texts).map(([tag, value]) => {
      const locale = readLocale(tag)
      if (!locale) throw refuse(field, 'not_a_language_tag')
      return [locale, value]
    }),
  )
}
