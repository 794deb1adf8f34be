import { cutReturned, findCode, maxRecipients, maxSearched, readFreeText } from './bounce-text.ts'
import type { Mail } from './mail.ts'

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

type Fields = Map<string, string>

const maxWords = 500

export const shortenWords = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, maxWords)

function readFields(block: string): Fields {
  const fields: Fields = new Map()
  let last = ''
  for (const line of block.split('\n')) {
    const at = line.indexOf(':')
    if (/^\s/.test(line)) fields.set(last, `${fields.get(last) ?? ''} ${line.trim()}`)
    else if (at > 0) {
      last = line.slice(0, at).trim().toLowerCase()
      if (!fields.has(last)) fields.set(last, line.slice(at + 1).trim())
    }
  }
  fields.delete('')
  return fields
}

/** More recipients than any email from Deskbell has. */
const maxGroups = 500

/** The field groups of a delivery status notification, which are separated by empty lines. */
const readGroups = (text: string): Fields[] =>
  text
    .replaceAll('\r\n', '\n')
    .split(/\n[ \t]*\n/, maxGroups)
    .map(readFields)

export const addressIn = (field: string | undefined): string | null =>
  field?.slice(field.indexOf(';') + 1).replaceAll(/[<>\s]/g, '') || null

const outcomes: Record<string, RecipientReport['outcome']> = {
  failed: 'failed',
  delayed: 'delayed',
  delivered: 'delivered',
  relayed: 'delivered',
  expanded: 'delivered',
}

const isVague = (status: string | undefined): boolean => !status || /^[245]\.0\.0$/.test(status)

/** The entry for one recipient (RFC 3464); null if the group has no recipient. */
function readRecipient(fields: Fields): RecipientReport | null {
  const original = addressIn(fields.get('original-recipient'))
  const recipient = original?.includes('@') ? original : addressIn(fields.get('final-recipient'))
  if (!recipient) return null
  const diagnostic = fields.get('diagnostic-code') ?? ''
  const words = shortenWords(diagnostic.slice(diagnostic.indexOf(';') + 1))
  const said = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(fields.get('status') ?? '')?.[0]
  const code = findCode(words)
  const status = (isVague(said) && code?.status) || said || null
  const action =
    fields
      .get('action')
      ?.toLowerCase()
      .split(/[\s;(]/)[0] ?? ''
  const outcome = outcomes[action] ?? (status?.startsWith('2') ? 'delivered' : 'failed')
  const isHard = status ? status.startsWith('5') : code?.isPermanent === true
  return { recipient, outcome, status, isPermanent: outcome === 'failed' && isHard, words }
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
  const groups = mail.reports
    .filter(({ contentType }) => isStatusReport(contentType))
    .flatMap(one => readGroups(one.text))
  const reported = groups.map(readRecipient).filter(delivery => delivery !== null)
  const { exact, related } = listReportedIds(mail)
  const listOf = (ids: string[]) => [...new Set(ids.filter(id => id !== ''))]
  return {
    deliveries: reported.length > 0 ? reported : readFreeText(textOf(mail), listFailed(mail), own),
    ids: listOf([...exact, ...related]),
    exactIds: listOf(exact),
  }
}
