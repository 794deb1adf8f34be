/** The languages that the widget has texts for, and others for which a project can write its own. */
export const languages = [
  ...['en', 'de', 'fr', 'es', 'pt', 'pt-BR', 'it', 'nl', 'pl', 'cs', 'tr', 'ru', 'uk', 'ar', 'he', 'fa'],
  ...['zh', 'zh-TW', 'ja'],
]

export function nameLanguage(tag: string): string {
  const name = new Intl.DisplayNames(document.documentElement.lang, { type: 'language' }).of(tag) ?? tag
  return name.charAt(0).toUpperCase() + name.slice(1)
}
