/** The one spelling of a language tag (`pt-br` is `pt-BR`); null when it is none. */
export function readLocale(text: string): string | null {
  try {
    const [locale] = Intl.getCanonicalLocales(text)
    return locale && locale.length <= 35 ? locale : null
  } catch {
    return null
  }
}

/** What a lookup goes by: a word that is no language tag is one that nothing is written in. */
export const spellLocale = (text: string): string => readLocale(text) ?? text
