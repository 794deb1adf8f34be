import { fillText } from '../../../src/core/text/placeholders.ts'
import { pageText } from '../core/page-text.ts'
import { findTexts } from '../widget/languages.ts'
import type { AutomaticDefaults, Mailbox, MailboxChange } from './queries.ts'

/** Form values for a mailbox's acknowledgement and away message. */

export type AutomaticKind = 'acknowledgement' | 'away'

export interface AutomaticValues extends Record<string, unknown> {
  sends_acknowledgement: boolean
  sends_away: boolean
  texts: Record<string, { acknowledgement: string; away: string }>
}

export const automaticValuesOf = ({
  sends_acknowledgement,
  sends_away,
  texts,
}: Mailbox): AutomaticValues => ({
  sends_acknowledgement,
  sends_away,
  texts: Object.fromEntries(
    Object.entries(texts).map(([language, { acknowledgement, away }]) => [
      language,
      { acknowledgement: acknowledgement ?? '', away: away ?? '' },
    ]),
  ),
})

/** Leaves out languages without a text. */
export const automaticBodyOf = ({ texts, ...values }: AutomaticValues): MailboxChange => ({
  ...values,
  texts: Object.fromEntries(
    Object.entries(texts).filter(([, { acknowledgement, away }]) => acknowledgement.trim() || away.trim()),
  ),
})

export const automaticLabels = (): Record<keyof AutomaticValues, string> => ({
  sends_acknowledgement: pageText.mailboxAutomatic.acknowledges,
  sends_away: pageText.mailboxAutomatic.away,
  texts: pageText.mailboxAutomatic.texts,
})

/** Converts the values to text, to compare two versions. */
export function describeAutomatic({
  sends_acknowledgement,
  sends_away,
  texts,
}: AutomaticValues): Record<string, string> {
  const { on, off } = pageText.mailboxAutomatic
  return {
    sends_acknowledgement: sends_acknowledgement ? on : off,
    sends_away: sends_away ? on : off,
    texts: Object.entries(texts)
      .toSorted()
      .flatMap(([language, { acknowledgement, away }]) => [`${language}:`, acknowledgement, away])
      .filter(Boolean)
      .join('\n'),
  }
}

/** Deskbell's own text. */
export const defaultText = ({ items }: AutomaticDefaults, language: string, kind: AutomaticKind): string =>
  findTexts(items, language)?.[kind] ?? ''

const samples = (): Record<string, string> => {
  const { number, subject, name } = pageText.mailboxAutomatic.sample
  return { 'ticket.short_id': number, 'ticket.subject': subject, 'contact.full_name': name }
}

/** Fills in sample values, and lists unknown placeholders. */
export function fillSample(content: string): { content: string; unknown: string[] } {
  const values = samples()
  return fillText(content, name => values[name])
}
