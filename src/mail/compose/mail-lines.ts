import { fillPlaceholders, type LocalTexts } from '../../core/text/texts.ts'
import type { ForwardedMessage, OutgoingLink, QuotedMessage } from './outgoing-email.ts'
import type { ComposeTexts } from './texts/shape.ts'
import { composeTextsOf } from './texts/texts.ts'

/** The lines that an email has besides what people have written, in both of its versions. */

const dateIn = (locale: string, date: Date): string =>
  new Intl.DateTimeFormat(locale, {
    ...({ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const),
  }).format(date)

export const timeIn = (locale: string, date: Date): string =>
  new Intl.DateTimeFormat(locale, {
    ...({ day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const),
    ...({ hourCycle: 'h23', timeZone: 'UTC', timeZoneName: 'short' } as const),
  }).format(date)

const sizeIn = (locale: string, bytes: number): string =>
  new Intl.NumberFormat(locale, { style: 'unit', unit: 'megabyte' }).format(Math.ceil(bytes / 1_000_000))

export const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()

/** The line above a quoted message, for instance "On 3 November 2026 at 09:00 UTC, Ann Berger wrote:". */
export function describeAuthor({ author, at, language }: QuotedMessage): LocalTexts<string> {
  const { texts, ...local } = composeTextsOf(language)
  const values = { date: timeIn(local.locale, at), name: oneLine(author) }
  return { ...local, texts: fillPlaceholders(texts.wrote, values) }
}

/** The lines above a forwarded message: its sender, date and subject. Mail programs recognise the dashes. */
export function listForwardedHead(
  { from, at, subject }: ForwardedMessage,
  { locale, texts }: LocalTexts<ComposeTexts>,
): string[] {
  const name = oneLine(from.name ?? '')
  const sender = from.address && name ? `${name} <${from.address}>` : from.address || name
  return [
    `---------- ${texts.forwarded} ---------`,
    ...(sender ? [`${texts.from}: ${sender}`] : []),
    `${texts.date}: ${timeIn(locale, at)}`,
    ...(subject ? [`${texts.subject}: ${oneLine(subject)}`] : []),
  ]
}

/** The name, size and expiry of a file that can be downloaded. */
export function describeLink(
  { name, size, expiresAt }: OutgoingLink,
  { locale, texts }: LocalTexts<ComposeTexts>,
): string {
  const values = { name: oneLine(name), size: sizeIn(locale, size), date: dateIn(locale, expiresAt) }
  return fillPlaceholders(texts.link, values)
}
