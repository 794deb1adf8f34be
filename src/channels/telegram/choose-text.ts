import { fillText } from '../../core/text/placeholders.ts'
import type { BotTexts } from './bots/texts-schema.ts'
import type { TelegramTexts } from './texts/shape.ts'
import { telegramTexts } from './texts/texts.ts'

/** Chooses the texts of bots by language. */

type Languages = (string | null | undefined)[]

type OwnText = 'greeting' | 'away' | 'closed'

const primaryOf = (language: string): string => language.split('-')[0]!.toLowerCase()

const listGiven = (languages: Languages): string[] => languages.flatMap(one => (one ? [one] : []))

/** Deskbell's text in the first of these languages that it supports, otherwise in English. */
export function wordsOf(languages: Languages): TelegramTexts {
  const known = listGiven(languages).find(language => primaryOf(language) in telegramTexts)
  return telegramTexts[known ? primaryOf(known) : 'en']!
}

interface TextValues {
  shortId?: string
  contactName?: string | null
}

/**
 * The text in the first of these languages that has one: the bot's own, or else Deskbell's. `pt-BR` falls back to `pt`. An empty text
 * means that nothing is sent.
 */
export function chooseBotText(
  texts: BotTexts,
  kind: OwnText,
  languages: Languages,
  { shortId, contactName }: TextValues = {},
): string {
  const values: Record<string, string | null | undefined> = {
    'ticket.short_id': shortId,
    'contact.full_name': contactName ?? null,
  }
  const fill = (text: string): string => fillText(text, name => values[name]).content.trim()
  for (const language of listGiven(languages)) {
    const own = texts[language]?.[kind] ?? texts[primaryOf(language)]?.[kind]
    const found = own ?? telegramTexts[primaryOf(language)]?.[kind]
    if (found !== undefined && found !== null) return fill(found)
  }
  return fill(texts.en?.[kind] ?? telegramTexts.en![kind])
}
