import { computed, signal } from '@preact/signals'
import { en, type Texts } from './texts/en.ts'

/** All texts of the widget. Each language is a separate file, loaded on demand. */

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

/** The texts; readers of this signal render again when the language has loaded. */
export const text = computed(() => texts.value)
/** The full language tag, for dates and numbers. */
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
 * Loads the site's language, or else the first of the browser's languages that is available. Falls back to
 * English if the file fails to load. Returns false if another language was requested in the meantime.
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

/** Replaces `{names}` with values. */
export const fill = (words: string, values: Record<string, string | number>): string =>
  words.replace(/\{(\w+)\}/g, (all, name) => String(values[name] ?? all))
