import { en } from './texts/en.ts'

/** Every word that people see. A language is a file like texts/en.ts, of the same type, and a line in `languages`. */
export type Texts = typeof en

const languages: Record<string, { name: string; dir: 'ltr' | 'rtl'; load(): Promise<Texts> }> = {
  en: { name: 'English', dir: 'ltr', load: async () => en },
}

export const text: Texts = { ...en }

/** The first of the browser's languages that there is. */
const chooseLanguage = (): string =>
  navigator.languages.map(tag => tag.split('-')[0]!).find(tag => tag in languages) ?? 'en'

/** Before anything is shown. The direction may be chosen by hand: for a language to come, and for testing. */
export async function loadTexts(): Promise<'ltr' | 'rtl'> {
  const language = chooseLanguage()
  const { dir, load } = languages[language]!
  Object.assign(text, await load())
  document.documentElement.lang = language
  return dir
}
