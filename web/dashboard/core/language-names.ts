/** Browsers name no extensions, such as those of en-u-ca-buddhist. */
function nameIn(language: string, tag: string): string {
  const { baseName } = new Intl.Locale(tag)
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(baseName) ?? tag
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}

/** The name of a language in the language of the page. */
export const nameLanguage = (tag: string): string => nameIn(document.documentElement.lang, tag)

/** The name of a language in that language itself, such as Deutsch. */
export const nameInItself = (tag: string): string => nameIn(tag, tag)

const letters = [...'abcdefghijklmnopqrstuvwxyz']

/** Variants that differ enough from the language to be written separately. */
const regional = [
  ...[
    'de-AT',
    'de-CH',
    'en-AU',
    'en-CA',
    'en-GB',
    'en-US',
    'es-AR',
    'es-ES',
    'es-MX',
    'fr-BE',
    'fr-CA',
    'fr-CH',
  ],
  ...['nl-BE', 'pt-BR', 'pt-PT', 'sr-Latn', 'zh-CN', 'zh-Hans', 'zh-Hant', 'zh-HK', 'zh-TW'],
]

export interface Language {
  value: string
  /** In the language itself. */
  label: string
  /** In the language of the page. */
  name: string
}

/**
 * All languages that the browser can name, in alphabetical order of their own names, and the chosen one, which may be a rarer
 * variant. Outdated tags are left out.
 */
export function listLanguages(chosen?: string): Language[] {
  const names = new Intl.DisplayNames(document.documentElement.lang, { type: 'language', fallback: 'none' })
  const tags = letters.flatMap(first => letters.map(second => first + second))
  const known = [...tags, ...regional].filter(
    tag => names.of(tag) !== undefined && Intl.getCanonicalLocales(tag)[0] === tag,
  )
  return [...new Set(chosen ? [...known, chosen] : known)]
    .map(value => ({ value, label: nameInItself(value), name: nameLanguage(value) }))
    .sort((one, other) => one.label.localeCompare(other.label))
}
