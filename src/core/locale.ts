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
