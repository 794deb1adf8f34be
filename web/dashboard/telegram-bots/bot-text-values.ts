import { fillText } from '../../../src/core/text/placeholders.ts'
import { pageText } from '../core/page-text.ts'
import { findTexts } from '../widget/languages.ts'
import { wordSwitch } from './bot-values.ts'
import type { TelegramBot, TelegramBotChange, TelegramTextDefaults } from './queries.ts'

/** Form values for what a bot says by itself. */

export const botTextKinds = ['greeting', 'away', 'closed'] as const
export type BotTextKind = (typeof botTextKinds)[number]

/** Null: Deskbell's own text. Empty: nothing is sent. */
export type OwnTexts = Record<BotTextKind, string | null>

export interface BotTextValues extends Record<string, unknown> {
  sends_away: boolean
  asks_phone: boolean
  asks_rating: boolean
  texts: Record<string, OwnTexts>
}

export const noTexts: OwnTexts = { greeting: null, away: null, closed: null }

export const botTextValuesOf = ({
  sends_away,
  asks_phone,
  asks_rating,
  texts,
}: TelegramBot): BotTextValues => ({
  ...{ sends_away, asks_phone, asks_rating },
  texts: Object.fromEntries(
    Object.entries(texts).map(([language, own]) => [language, { ...noTexts, ...own }]),
  ),
})

/** Leaves out languages without a text of their own. */
export const botTextBodyOf = ({
  sends_away,
  asks_phone,
  asks_rating,
  texts,
}: BotTextValues): TelegramBotChange => ({
  ...{ sends_away, asks_phone, asks_rating },
  texts: Object.fromEntries(
    Object.entries(texts).filter(([, own]) => botTextKinds.some(kind => own[kind] !== null)),
  ),
})

export const botTextLabels = (): Record<string, string> => {
  const { away, phone, rating, texts } = pageText.telegramTexts
  return { sends_away: away, asks_phone: phone, asks_rating: rating, texts }
}

/** Converts the values to text, to compare two versions. */
export function describeBotTexts({
  sends_away,
  asks_phone,
  asks_rating,
  texts,
}: BotTextValues): Record<string, string> {
  const { kinds, nothingSent } = pageText.telegramTexts
  const lines = (own: OwnTexts) =>
    botTextKinds.flatMap(kind => (own[kind] === null ? [] : [`${kinds[kind]}: ${own[kind] || nothingSent}`]))
  return {
    sends_away: wordSwitch(sends_away),
    asks_phone: wordSwitch(asks_phone),
    asks_rating: wordSwitch(asks_rating),
    texts: Object.entries(texts)
      .toSorted()
      .flatMap(([language, own]) => (lines(own).length > 0 ? [`${language}:`, ...lines(own)] : []))
      .join('\n'),
  }
}

/** Deskbell's own text. */
export const ownTextOf = ({ items }: TelegramTextDefaults, language: string, kind: BotTextKind): string =>
  findTexts(items, language)?.[kind] ?? ''

/** Fills in sample values, and lists unknown placeholders. */
export function fillBotSample(content: string): { content: string; unknown: string[] } {
  const { number, name } = pageText.telegramTexts.sample
  const values: Record<string, string> = { 'ticket.short_id': number, 'contact.full_name': name }
  return fillText(content, placeholder => values[placeholder])
}
