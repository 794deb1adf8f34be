import {
  cutReturned,
  type FailureCode,
  findCode,
  maxRecipients,
  maxSearched,
  readFreeText,
} from './bounce-text.ts'
import type { Mail } from './mail.ts'
import { addressIn, type Fields, readGroups } from './report-fields.ts'

/** Reads delivery status notifications: which recipients an email could not be delivered to, and why. */

export interface RecipientReport {
  /** The address the email was sent to. */
  recipient: string
  outcome: 'failed' | 'delayed' | 'delivered'
  /** Enhanced status code, for instance `5.1.1`; null if the report has none. */
  status: string | null
  /** Whether the failure is permanent (5.x): further emails to this address will fail too. */
  isPermanent: boolean
  /** The server's explanation on one line; at most 500 characters. */
  words: string
}

export interface DeliveryReport {
  deliveries: RecipientReport[]
  /** Message-IDs in the returned email and in the headers of the report, without angle brackets, most reliable first. */
  ids: string[]
  /** Those that are the ID of the returned email itself. The others belong to earlier emails of its thread. */
  exactIds: string[]
}

const maxWords = 500

export const shortenWords = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, maxWords)

const outcomes: Record<string, RecipientReport['outcome']> = {
  failed: 'failed',
  delayed: 'delayed',
  delivered: 'delivered',
  relayed: 'delivered',
  expanded: 'delivered',
}

const isVague = (status: string | null): boolean => !status || /^[245]\.0\.0$/.test(status)

function recipientOf(fields: Fields): string | null {
  const original = addressIn(fields.get('original-recipient'))
  return original?.includes('@') ? original : addressIn(fields.get('final-recipient'))
}

const diagnosticOf = (fields: Fields): string => {
  const diagnostic = fields.get('diagnostic-code') ?? ''
  return shortenWords(diagnostic.slice(diagnostic.indexOf(';') + 1))
}

/** A vague status of the report is replaced by the code in the words of the server that refused the email. */
function judge(said: string | null, words: string): FailureCode {
  const code = findCode(words)
  const isPermanent = said ? said.startsWith('5') : false
  return code && isVague(said) ? code : { status: said, isPermanent }
}

/** The entry for one recipient (RFC 3464); null if the group has no recipient. `texts` contains what the report says in its text. */
function readRecipient(fields: Fields, texts: RecipientReport[]): RecipientReport | null {
  const recipient = recipientOf(fields)
  if (!recipient) return null
  const said = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(fields.get('status') ?? '')?.[0] ?? null
  const [action = ''] = (fields.get('action') ?? '').toLowerCase().split(/[\s;(]/)
  const outcome = outcomes[action] ?? (said?.startsWith('2') ? 'delivered' : 'failed')
  const text = outcome === 'failed' ? texts.find(one => one.recipient === recipient) : undefined
  const words = diagnosticOf(fields) || (text?.words ?? '')
  const { status, isPermanent } = judge(said, words)
  return { recipient, outcome, status, isPermanent: outcome === 'failed' && isPermanent, words }
}

/** Exim reports its own reasons, such as an unknown domain or an expired email, only in the text. */
function readGroupsOf(mail: Mail): RecipientReport[] {
  const groups = mail.reports
    .filter(({ contentType }) => isStatusReport(contentType))
    .flatMap(one => readGroups(one.text))
  const recipients = groups.map(recipientOf).filter(one => one !== null)
  const isExplained = groups.every(fields => !recipientOf(fields) || diagnosticOf(fields) !== '')
  const texts = isExplained ? [] : readFreeText(textOf(mail), recipients, [])
  return groups.map(fields => readRecipient(fields, texts)).filter(one => one !== null)
}

const isNotice = (contentType: string): boolean => contentType === 'message/disposition-notification'

/** The values of a field in the first group of each report of a kind. */
export const readFieldsOf = (
  mail: Mail,
  isWanted: (contentType: string) => boolean,
  name: string,
): string[] =>
  mail.reports
    .filter(({ contentType }) => isWanted(contentType))
    .flatMap(one => readGroups(one.text)[0]?.get(name) ?? [])

const isStatusReport = (contentType: string): boolean =>
  /^message\/(?:global-)?delivery-status$/.test(contentType)
const isReturned = (contentType: string): boolean =>
  /^(?:message\/(?:rfc822|global)|text\/rfc822-headers|message\/global-headers)$/.test(contentType)

const idsIn = (text: string): string[] => [...text.matchAll(/<([^\s<>@]+@[^\s<>@]+)>/g)].map(([, id]) => id!)

interface ReportedIds {
  exact: string[]
  related: string[]
}

function idsOfHeaders(text: string): ReportedIds {
  const [fields = new Map<string, string>()] = readGroups(text.replace(/^\s+/, ''))
  const of = (name: string) => idsIn(fields.get(name) ?? '')
  return { exact: of('message-id'), related: [...of('references').reverse(), ...of('in-reply-to')] }
}

function listReportedIds(mail: Mail): ReportedIds {
  const { headers, reports, attached, text } = mail
  const idsOf = (name: string) => idsIn(readFieldsOf(mail, isNotice, name)[0] ?? '')
  const groups = reports
    .filter(({ contentType }) => isStatusReport(contentType))
    .flatMap(one => readGroups(one.text))
  const returned = [
    ...reports.filter(({ contentType }) => isReturned(contentType)).map(one => one.text),
    cutReturned(text).returned,
  ].map(idsOfHeaders)
  return {
    exact: [
      ...groups.flatMap(fields => idsIn(fields.get('x-original-message-id') ?? '')),
      ...idsOf('original-message-id'),
      ...returned.flatMap(({ exact }) => exact),
      attached?.headers.messageId ?? '',
      ...headers.inReplyTo,
    ],
    related: [
      ...returned.flatMap(({ related }) => related),
      ...(attached?.headers.references.toReversed() ?? []),
      ...headers.references.toReversed(),
    ],
  }
}

function listFailed(mail: Mail): string[] {
  const fields = mail.headers.all['x-failed-recipients'] ?? []
  return fields
    .flatMap(field => field.split(','))
    .map(one => one.replaceAll(/[<>\s]/g, ''))
    .filter(one => one.includes('@'))
    .slice(0, maxRecipients)
}

const textOf = ({ headers, text }: Mail): string => `${headers.subject}\n${text.slice(0, maxSearched)}`

/** The outcomes for known recipients whom the text of a report names, or for a single recipient if it has only a code. */
export function readKnownRecipients(mail: Mail, recipients: string[]): RecipientReport[] {
  if (mail.reports.some(({ contentType }) => isStatusReport(contentType))) return []
  const { said } = cutReturned(textOf(mail))
  const named = recipients
    .map(one => ({ at: said.toLowerCase().indexOf(one), length: one.length }))
    .filter(({ at }) => at >= 0)
    .map(({ at, length }) => said.slice(at, at + length))
  if (named.length > 0) return readFreeText(textOf(mail), named, [])
  const code = findCode(said)
  if (recipients.length !== 1 || !code) return []
  return [{ recipient: recipients[0]!, outcome: 'failed', ...code, words: shortenWords(said) }]
}

/**
 * Reads the outcomes from the machine-readable part or, without one, from X-Failed-Recipients and the text. `own` contains
 * addresses that cannot be recipients, such as the address of the mailbox.
 */
export function readDeliveryReport(mail: Mail, own: string[]): DeliveryReport {
  const reported = readGroupsOf(mail)
  const { exact, related } = listReportedIds(mail)
  const listOf = (ids: string[]) => [...new Set(ids.filter(id => id !== ''))]
  return {
    deliveries: reported.length > 0 ? reported : readFreeText(textOf(mail), listFailed(mail), own),
    ids: listOf([...exact, ...related]),
    exactIds: listOf(exact),
  }
}
