import type { AutomaticTexts } from '../mailboxes/automatic-schema.ts'
import type { AutomaticEmailTexts } from './texts/shape.ts'
import { automaticEmailTexts } from './texts/texts.ts'

/** Chooses the text of an automatic email by language. */

export type AutomaticKind = keyof AutomaticEmailTexts

const ownText = (texts: AutomaticTexts, language: string, kind: AutomaticKind): string | null =>
  texts[language]?.[kind]?.trim() || null

/**
 * Returns the text in the first of these languages that has one, either the mailbox's own or Deskbell's. `pt-BR` also finds `pt`. If none
 * of them has a text, the English one is used.
 */
export function chooseText(
  texts: AutomaticTexts,
  kind: AutomaticKind,
  preferred: (string | null | undefined)[],
): string {
  for (const language of preferred.filter(one => one !== null && one !== undefined)) {
    const primary = language.split('-')[0]!.toLowerCase()
    const own = ownText(texts, language, kind) ?? ownText(texts, primary, kind)
    const found = own ?? automaticEmailTexts[primary]?.[kind]
    if (found) return found
  }
  return ownText(texts, 'en', kind) ?? automaticEmailTexts.en![kind]
}
