/** The languages that the widget has texts for, and others for which a project can write its own. */
export const languages = [
  ...['en', 'de', 'fr', 'es', 'pt', 'pt-BR', 'it', 'nl', 'pl', 'cs', 'tr', 'ru', 'uk', 'ar', 'he', 'fa'],
  ...['zh', 'zh-TW', 'ja'],
]

/** Deskbell's texts in this language, in its primary language, or in English. */
export function findTexts<Texts extends { language: string }>(
  items: Texts[],
  language: string,
): Texts | undefined {
  const primary = language.split('-')[0]
  return items.find(one => one.language === primary) ?? items.find(one => one.language === 'en')
}
