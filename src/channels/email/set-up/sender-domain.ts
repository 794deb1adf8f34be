import { domainToASCII } from 'node:url'
import { findSenderRecords } from '../mailboxes/known-servers.ts'
import type { MailboxRow } from '../mailboxes/mailbox.ts'
import { createDns, type Dns } from './detect.ts'

/** Judges the DNS records of an address's domain with which recipients check its sender: SPF, DKIM and DMARC. */

export const recordStatuses = ['ok', 'advice', 'missing', 'unknown'] as const

export const adviceCodes = [
  'spf_ok',
  'spf_found',
  'spf_missing',
  'spf_missing_server',
  'spf_several',
  'spf_without_provider',
  'dkim_ok',
  'dkim_missing',
  'dkim_by_server',
  'dmarc_ok',
  'dmarc_monitors',
  'dmarc_missing',
  'dmarc_several',
  'look_up_failed',
] as const

export interface RecordAdvice {
  kind: 'spf' | 'dkim' | 'dmarc'
  status: (typeof recordStatuses)[number]
  code: (typeof adviceCodes)[number]
  values: Record<string, string>
  /** The record that was found. */
  record: string | null
}

export interface SenderDomain {
  domain: string
  records: RecordAdvice[]
}

type Advice = Omit<RecordAdvice, 'kind' | 'values' | 'record'> & Partial<RecordAdvice>

/** Text records that begin with `prefix`; null if the look-up failed. A name that does not exist has none. */
async function findTexts(dns: Dns, name: string, prefix: RegExp): Promise<string[] | null> {
  try {
    return (await dns.resolveTxt(name)).map(parts => parts.join('')).filter(text => prefix.test(text))
  } catch (error) {
    return ['ENOTFOUND', 'ENODATA'].includes((error as { code?: string }).code ?? '') ? [] : null
  }
}

async function judgeSpf(dns: Dns, domain: string, include: string | undefined): Promise<Advice> {
  const found = await findTexts(dns, domain, /^v=spf1(?: |$)/i)
  const values = { domain, include: include ?? '' }
  if (!found) return { status: 'unknown', code: 'look_up_failed', values: { name: domain } }
  const [record] = found
  if (record === undefined)
    return { status: 'missing', code: include ? 'spf_missing' : 'spf_missing_server', values }
  if (found.length > 1) return { status: 'missing', code: 'spf_several', values, record }
  if (include && !record.toLowerCase().includes(include))
    return { status: 'advice', code: 'spf_without_provider', values, record }
  return { status: 'ok', code: include ? 'spf_ok' : 'spf_found', values, record }
}

async function judgeDkim(dns: Dns, domain: string, selectors: string[]): Promise<Advice> {
  const names = selectors.map(selector => `${selector}._domainkey.${domain}`)
  const found = await Promise.all(names.map(name => findTexts(dns, name, /\bp=[\w+/]/)))
  const at = found.findIndex(records => records?.length)
  if (at >= 0)
    return { status: 'ok', code: 'dkim_ok', values: { selector: selectors[at]! }, record: found[at]![0]! }
  if (found.includes(null)) return { status: 'unknown', code: 'look_up_failed', values: { name: domain } }
  return {
    status: selectors.length ? 'missing' : 'unknown',
    code: selectors.length ? 'dkim_missing' : 'dkim_by_server',
  }
}

async function findDmarc(dns: Dns, domain: string): Promise<string[] | null> {
  const found = await findTexts(dns, `_dmarc.${domain}`, /^v=DMARC1\b/i)
  const parent = domain.slice(domain.indexOf('.') + 1)
  // The record of the organisation applies to its subdomains.
  return found?.length === 0 && parent.includes('.') ? findDmarc(dns, parent) : found
}

async function judgeDmarc(dns: Dns, domain: string): Promise<Advice> {
  const found = await findDmarc(dns, domain)
  if (!found) return { status: 'unknown', code: 'look_up_failed', values: { name: `_dmarc.${domain}` } }
  const [record] = found
  if (record === undefined) return { status: 'missing', code: 'dmarc_missing' }
  if (found.length > 1) return { status: 'missing', code: 'dmarc_several', record }
  const [, policy = ''] = /;\s*p\s*=\s*(\w+)/i.exec(record) ?? []
  const isMonitoring = policy.toLowerCase() === 'none'
  return {
    status: isMonitoring ? 'advice' : 'ok',
    code: isMonitoring ? 'dmarc_monitors' : 'dmarc_ok',
    values: { policy },
    record,
  }
}

export async function judgeSenderDomain(
  { address, sending, smtp }: Pick<MailboxRow, 'address' | 'sending' | 'smtp'>,
  dns: Dns = createDns(),
): Promise<SenderDomain> {
  const domain = domainToASCII(address.slice(address.lastIndexOf('@') + 1))
  const { spf, selectors } = findSenderRecords(sending === 'smtp' ? (smtp?.host ?? '') : '')
  const found = await Promise.all([
    judgeSpf(dns, domain, spf),
    judgeDkim(dns, domain, selectors),
    judgeDmarc(dns, domain),
  ])
  const kinds = ['spf', 'dkim', 'dmarc'] as const
  const records = found.map((advice, at) => ({
    record: null,
    ...advice,
    kind: kinds[at]!,
    values: { domain, ...advice.values },
  }))
  return { domain, records }
}
