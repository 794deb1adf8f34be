import { en } from './texts/en.ts'

/**
 * All texts of the dashboard. To add a language, add a file like texts/en.ts with the same type, and an entry
 * in `languages`.
 */
export type Texts = typeof en

const languages: Record<string, { name: string; dir: 'ltr' | 'rtl'; load(): Promise<Texts> }> = {
  en: { name: 'English', dir: 'ltr', load: async () => en },
}

export const text: Texts = { ...en }

/** The first of the browser's languages that is available. */
const chooseLanguage = (): string =>
  navigator.languages.map(tag => tag.split('-')[0]!).find(tag => tag in languages) ?? 'en'

/**
 * Called before anything is shown. The direction can also be set by preference, for testing and for future
 * languages.
 */
export async function loadTexts(): Promise<'ltr' | 'rtl'> {
  const language = chooseLanguage()
  const { dir, load } = languages[language]!
  Object.assign(text, await load())
  document.documentElement.lang = language
  return dir
}
