import { computed, signal } from '@preact/signals'
import { en, type Texts } from './texts/en.ts'

/** Every word that visitors see. Each language is a file of its own, loaded alone. */

const languages: Record<string, () => Promise<Texts>> = {
  en: async () => en,
  de: async () => (await import('./texts/de.ts')).de,
  fr: async () => (await import('./texts/fr.ts')).fr,
  es: async () => (await import('./texts/es.ts')).es,
  pt: async () => (await import('./texts/pt.ts')).pt,
  it: async () => (await import('./texts/it.ts')).it,
  nl: async () => (await import('./texts/nl.ts')).nl,
  pl: async () => (await import('./texts/pl.ts')).pl,
  cs: async () => (await import('./texts/cs.ts')).cs,
  tr: async () => (await import('./texts/tr.ts')).tr,
  ru: async () => (await import('./texts/ru.ts')).ru,
  uk: async () => (await import('./texts/uk.ts')).uk,
  ar: async () => (await import('./texts/ar.ts')).ar,
  he: async () => (await import('./texts/he.ts')).he,
  fa: async () => (await import('./texts/fa.ts')).fa,
  zh: async () => (await import('./texts/zh.ts')).zh,
  ja: async () => (await import('./texts/ja.ts')).ja,
}

const rightToLeft = ['ar', 'he', 'fa']

const texts = signal<Texts>(en)

/** The words; whoever reads them is drawn anew when the language comes. */
export const text = computed(() => texts.value)
/** The whole tag, as dates and numbers want it. */
export const language = signal('en')

const primary = (tag: string): string => tag.toLowerCase().split(/[-_]/)[0]!

const isTag = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

let asked = 0

/**
 * The site's choice, else the first of the browser's languages that there is. English where a file does not come.
 * False where another one was asked for while the file was on its way.
 */
export async function loadTexts(chosen: string | null): Promise<boolean> {
  const own = ++asked
  const wanted = (chosen ? [chosen] : navigator.languages).map(tag => tag.replace('_', '-')).filter(isTag)
  const tag = wanted.find(one => Object.hasOwn(languages, primary(one))) ?? 'en'
  const name = primary(tag)
  const loaded = await languages[name]!().catch(() => null)
  if (own !== asked) return false
  texts.value = loaded ?? en
  language.value = loaded ? tag : 'en'
  document.documentElement.lang = language.value
  document.documentElement.dir = loaded && rightToLeft.includes(name) ? 'rtl' : 'ltr'
  return true
}

/** Puts values in the place of `{names}`. */
export const fill = (words: string, values: Record<string, string | number>): string =>
  words.replace(/\{(\w+)\}/g, (all, name) => String(values[name] ?? all))
