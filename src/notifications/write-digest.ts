import type { OutgoingMail } from '../core/mail/mail.ts'
import { type MailList, renderMail } from '../core/mail/mail-layout.ts'
import { countIn, fillPlaceholders, type LocalTexts } from '../core/text/texts.ts'
import { isoOf } from '../core/time.ts'
import { isTimezone } from '../core/timezone.ts'
import { type DigestKind, type DigestTicket, type DueDigest, digestKinds } from './digest-queries.ts'
import type { DigestTexts } from './texts/shape.ts'
import { digestTextsOf } from './texts/texts.ts'

/** Writes the email that lists what waits for an operator. */

export interface DigestToWrite {
  due: DueDigest
  tickets: Record<DigestKind, DigestTicket[]>
  /** The project in the dashboard. */
  projectUrl: string
  unsubscribeUrl: string
}

type Language = LocalTexts<DigestTexts>

function aboutTicket(
  { contact, waiting_since }: DigestTicket,
  { texts, locale }: Language,
  timezone: string,
) {
  const name = contact ?? texts.someone
  if (waiting_since === null) return name
  const format = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: isTimezone(timezone) ? timezone : 'UTC',
  })
  const time = format.format(new Date(isoOf(waiting_since)))
  return fillPlaceholders(texts.waiting, { contact: name, time })
}

function writeList(
  kind: DigestKind,
  { tickets, due, projectUrl }: DigestToWrite,
  language: Language,
): MailList {
  const own = tickets[kind]
  const { total } = own[0]!
  const left = total - own.length
  const count = new Intl.NumberFormat(language.locale).format(total)
  return {
    title: fillPlaceholders(language.texts.lists[kind], { count }),
    items: own.map(ticket => ({
      label: `#${ticket.number} ${ticket.subject}`,
      url: `${projectUrl}/inbox/open/${ticket.number}`,
      about: aboutTicket(ticket, language, due.timezone),
    })),
    end: left > 0 ? countIn(language, language.texts.more, left) : null,
  }
}

/** Null if nothing waits. */
export function writeDigest(digest: DigestToWrite): OutgoingMail | null {
  const { due, tickets, projectUrl, unsubscribeUrl } = digest
  const kinds = digestKinds.filter(kind => tickets[kind].length > 0)
  if (kinds.length === 0) return null
  const language = digestTextsOf(due.locale)
  const { project, color } = due
  return {
    id: `digest.${due.operator_id}.${due.planned_at!.replaceAll(/\D/g, '')}`,
    to: [due.email],
    sender: project,
    unsubscribeUrl,
    ...renderMail(language.texts.mail, {
      ...{ language, from: project, color, values: { project }, url: projectUrl },
      lists: kinds.map(kind => writeList(kind, digest, language)),
    }),
  }
}
