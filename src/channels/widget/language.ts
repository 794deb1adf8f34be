import { readLocale } from '../../core/text/locale.ts'

const languageOf = (locale: string): string => locale.split('-')[0]!

/** Of the existing locales: the visitor's, one of the same language, the project's, or any; null if there is none. */
export function chooseLanguage(written: string[], asked: string | undefined, usual: string): string | null {
  const preferred = [asked && readLocale(asked), usual].filter(wish => typeof wish === 'string')
  const found = preferred.flatMap(wish => [
    ...written.filter(one => one === wish),
    ...written.filter(one => languageOf(one) === languageOf(wish)),
  ])
  return found[0] ?? written[0] ?? null
}
