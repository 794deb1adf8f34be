import { renderMail } from '../core/mail/mail-layout.ts'
import { stringOf } from '../core/objects.ts'
import { countIn, fillPlaceholders, type LocalTexts } from '../core/text/texts.ts'
import type { BillingMailKind, BillingTexts } from './texts/shape.ts'
import { billingTextsOf } from './texts/texts.ts'

/** A notice about billing, and its project. */
export interface BillingMail {
  project_id: string
  project: string
  color: string | null
  /** The project's language; null in a mail to the host. */
  locale: string | null
  kind: BillingMailKind
  data: Record<string, string | number | null | undefined>
}

/** Plan and billing in the dashboard. */
export const billingPagePath = (projectId: string): string => `/p/${projectId}/settings/billing`

type Language = LocalTexts<BillingTexts>

function wordHours(language: Language, hours: number): string {
  const { soon, inHours, inDays } = language.texts
  if (hours < 1.5) return soon
  return hours < 36
    ? countIn(language, inHours, Math.round(hours))
    : countIn(language, inDays, Math.round(hours / 24))
}

const wordTime = ({ texts }: Language, time: string): string =>
  fillPlaceholders(texts.moment, { date: time.slice(0, 10), time: time.slice(11, 16) })

function wordFailure({ texts: { failureReasons } }: Language, reason: string | null | undefined): string {
  if (!reason) return failureReasons.none
  return stringOf(failureReasons, reason) ?? fillPlaceholders(failureReasons.other, { reason })
}

type Values = Record<string, string>

/** What a kind words of its data; all other values are shown as they are stored. */
const worded: Partial<Record<BillingMailKind, (language: Language, data: BillingMail['data']) => Values>> = {
  renewal: (language, { hours, expires_at }) => ({
    when: wordHours(language, Number(hours)),
    ends: wordTime(language, String(expires_at)),
  }),
  plan_ended: ({ texts }, { reason }) => ({ reason: texts.endReasons[reason!] ?? `${reason}` }),
  payment_failed: (language, { reason }) => ({
    reason: wordFailure(language, reason === null ? null : String(reason ?? '')),
  }),
}

const shown = (data: BillingMail['data']): Values =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, String(value ?? '')]))

export function writeMail(
  { kind, data, project, project_id, color, locale }: BillingMail,
  publicUrl: string,
) {
  const language = billingTextsOf(locale)
  const { mails, action, smallToHost, smallToOwner } = language.texts
  const small = kind === 'payment_disputed' ? smallToHost : smallToOwner
  const values = { ...shown(data), ...worded[kind]?.(language, data), project }
  const letter = { language, from: project, color, values, url: publicUrl + billingPagePath(project_id) }
  return { sender: project, ...renderMail({ ...mails[kind], action, small }, letter) }
}
