import { type DeliveryReport, type RecipientReport, readDeliveryReport } from './bounce.ts'
import { isNoReply, listsUs, localPart } from './machines.ts'
import type { Mail, MailHeaders } from './mail.ts'

/** Whether a person wrote a mail or a program, and which kind of program. */

export type MailClass =
  | 'person'
  | 'auto_reply'
  | 'automated'
  | 'bounce'
  | 'delay'
  | 'delivered'
  | 'receipt'
  | 'complaint'
  | 'loop'
  | 'backscatter'

/** What the project knows about itself. Addresses are compared without regard to case. */
export interface OwnFacts {
  /** The address of the mailbox that received the mail, and its aliases. */
  addresses: string[]
  /** The addresses of all mailboxes of the project. */
  allAddresses: string[]
  /** Addresses of forms that write for others. */
  formSenders: string[]
  /** Whether an ID without angle brackets is of a mail that the project sent. */
  isOwnId(id: string): boolean
  /** Whether an address is the return path of a mail that the project sent. */
  isOwnReturnPath(address: string): boolean
}

export interface Classified {
  class: MailClass
  /** The header or the words that decided, for the log; '' for a person. */
  evidence: string
  /** Of a bounce, delay or confirmation; empty otherwise. */
  deliveries: RecipientReport[]
  /** The ID of the mail that these or a complaint or a receipt are about, if the project sent it. */
  originalId: string | null
}

/** Carries one of our IDs in each mail that is sent. */
export const sentHeader = 'x-deskbell-sent'

const first = (headers: MailHeaders, name: string): string => headers.all[name]?.[0]?.trim() ?? ''

const has = (list: string[], address: string | undefined): boolean =>
  address !== undefined && list.some(one => one.toLowerCase() === address.toLowerCase())

const name = (header: string, value: string): string => `${header}: ${value}`.slice(0, 200)

function findLoop({ headers }: Mail, facts: OwnFacts): string | null {
  if (headers.messageId && facts.isOwnId(headers.messageId)) return name('Message-ID', headers.messageId)
  const mark = first(headers, sentHeader).replaceAll(/[<>]/g, '')
  if (mark !== '' && facts.isOwnId(mark)) return name('X-Deskbell-Sent', mark)
  if (!has(facts.addresses, headers.from?.address)) return null
  const isWrittenForOther =
    first(headers, 'x-original-from') !== '' ||
    first(headers, 'x-original-sender') !== '' ||
    (headers.replyTo.length === 1 && !has(facts.allAddresses, headers.replyTo[0]!.address))
  return isWrittenForOther ? null : name('From', headers.from!.address)
}

const contentType = (headers: MailHeaders): string => first(headers, 'content-type').toLowerCase()

const isServer = ({ from }: MailHeaders): boolean =>
  /^(?:mailer-?daemon|postmaster|mail-?daemon|microsoftexchange[0-9a-f]{32})$/.test(
    localPart(from?.address ?? ''),
  )

/** The words by which a mail is about the delivery of another; null if it is not. */
function findReport(mail: Mail, { deliveries }: DeliveryReport): string | null {
  const { headers } = mail
  const type = contentType(headers)
  const isReport =
    type.startsWith('multipart/report') &&
    /report-type="?(?:delivery-status|global-delivery-status)/.test(type)
  if (isReport) return name('Content-Type', type)
  const failed = first(headers, 'x-failed-recipients')
  if (failed !== '') return name('X-Failed-Recipients', failed)
  if (deliveries.length === 0) return null
  if (isServer(headers)) return name('From', headers.from!.address)
  // Absence notices have an empty return path too, but name no recipient with a code.
  const hasCode = deliveries.some(({ status, words }) => status !== null || /\b[45]\d\d\b/.test(words))
  return headers.returnPath === '' && hasCode ? 'Return-Path: <>' : null
}

function classOf(deliveries: RecipientReport[]): 'bounce' | 'delay' | 'delivered' {
  if (deliveries.length === 0 || deliveries.some(({ outcome }) => outcome === 'failed')) return 'bounce'
  return deliveries.some(({ outcome }) => outcome === 'delayed') ? 'delay' : 'delivered'
}

const recipientsOf = ({ to, cc, deliveredTo }: MailHeaders): string[] =>
  [...to, ...cc].map(({ address }) => address).concat(deliveredTo)

function classifyReport(mail: Mail, facts: OwnFacts): Classified | null {
  const report = readDeliveryReport(mail, facts.allAddresses)
  const evidence = findReport(mail, report)
  if (evidence === null) return null
  const { deliveries, ids } = report
  const originalId = ids.find(facts.isOwnId) ?? null
  const isOurs = originalId !== null || recipientsOf(mail.headers).some(facts.isOwnReturnPath)
  const isForeign = !isOurs && ids.length > 0
  return { class: isForeign ? 'backscatter' : classOf(deliveries), evidence, deliveries, originalId }
}

/** Reports about a mail that was delivered: a receipt of its reader, or a complaint. */
function findNotice({ headers, reports }: Mail): Pick<Classified, 'class' | 'evidence'> | null {
  if (!contentType(headers).startsWith('multipart/report')) return null
  const types = reports.map(report => report.contentType)
  const receipt = types.find(type => type === 'message/disposition-notification')
  if (receipt) return { class: 'receipt', evidence: name('Content-Type', receipt) }
  const complaint = types.find(type => type === 'message/feedback-report')
  return complaint ? { class: 'complaint', evidence: name('Content-Type', complaint) } : null
}

const isReply = (headers: MailHeaders): boolean => headers.inReplyTo.length + headers.references.length > 0

const replyHeaders = ['x-autoreply', 'x-autorespond', 'x-autoreply-from', 'x-mail-autoreply']

function findAutoReply(headers: MailHeaders): string | null {
  const submitted = first(headers, 'auto-submitted').toLowerCase()
  const kind = submitted.split(/[\s;(]/)[0]!
  // Exchange calls its absence notices auto-generated.
  const isAnswer = kind === 'auto-replied' || isReply(headers)
  if (kind !== '' && kind !== 'no' && isAnswer) return name('Auto-Submitted', submitted)
  const found = replyHeaders.find(header => !['', 'no'].includes(first(headers, header).toLowerCase()))
  if (found) return name(found, first(headers, found))
  const precedence = first(headers, 'precedence').toLowerCase()
  if (precedence === 'auto_reply') return name('Precedence', precedence)
  const suppress = first(headers, 'x-auto-response-suppress')
  return isReply(headers) && /\ball\b/i.test(suppress) ? name('X-Auto-Response-Suppress', suppress) : null
}

function findAutomated(headers: MailHeaders, facts: OwnFacts): string | null {
  const submitted = first(headers, 'auto-submitted').toLowerCase()
  if (submitted.startsWith('auto-')) return name('Auto-Submitted', submitted)
  if (!listsUs(headers, facts.allAddresses)) {
    const list = first(headers, 'list-id')
    if (list !== '') return name('List-Id', list)
    const precedence = first(headers, 'precedence').toLowerCase()
    if (['bulk', 'list', 'junk'].includes(precedence)) return name('Precedence', precedence)
  }
  const from = headers.from?.address ?? ''
  return isNoReply(from) && !has(facts.formSenders, from) ? name('From', from) : null
}

/** The class of a mail: the first that holds, in the order of the functions above. */
export function classify(mail: Mail, facts: OwnFacts): Classified {
  const none = { deliveries: [], originalId: null }
  const loop = findLoop(mail, facts)
  if (loop !== null) return { class: 'loop', evidence: loop, ...none }
  const report = classifyReport(mail, facts)
  if (report) return report
  const notice = findNotice(mail)
  if (notice) {
    const { ids } = readDeliveryReport(mail, facts.allAddresses)
    return { ...notice, deliveries: [], originalId: ids.find(facts.isOwnId) ?? null }
  }
  const reply = findAutoReply(mail.headers)
  if (reply !== null) return { class: 'auto_reply', evidence: reply, ...none }
  const automated = findAutomated(mail.headers, facts)
  return automated === null
    ? { class: 'person', evidence: '', ...none }
    : { class: 'automated', evidence: automated, ...none }
}
