import { domainToASCII } from 'node:url'
import { domainOf } from '../../../core/email.ts'
import { createDns, type Dns, findTexts } from '../../../mail/dns.ts'
import { findSenderRecords, type KnownServer, type SenderRecords } from '../mailboxes/known-servers.ts'
import type { MailboxRow } from '../mailboxes/mailbox.ts'

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
  'dkim_own',
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
  /** The records to publish. The record that was found must be replaced. */
  publish: DnsRecord[]
}

export interface DnsRecord {
  type: 'TXT' | 'CNAME'
  name: string
  content: string
}

export interface SenderDomain {
  domain: string
  /** The provider whose server sends the email; null if it is unknown. */
  provider: KnownServer['provider'] | null
  records: RecordAdvice[]
}

type Advice = Pick<RecordAdvice, 'status' | 'code'> & Partial<RecordAdvice>

const text = (name: string, content: string): DnsRecord => ({ type: 'TXT', name, content })

async function judgeSpf(dns: Dns, domain: string, include: string | undefined): Promise<Advice> {
  const found = await findTexts(dns, domain, /^v=spf1(?: |$)/i)
  const values = { domain, include: include ?? '' }
  if (!found) return { status: 'unknown', code: 'look_up_failed', values: { name: domain } }
  const [record] = found
  if (record === undefined) {
    const publish = [text(domain, `v=spf1 ${include ? `include:${include}` : 'mx'} ~all`)]
    return { status: 'missing', code: include ? 'spf_missing' : 'spf_missing_server', values, publish }
  }
  if (found.length > 1) return { status: 'missing', code: 'spf_several', values, record }
  if (include && !record.toLowerCase().includes(include)) {
    const publish = [text(domain, record.replace(/^v=spf1/i, `v=spf1 include:${include}`))]
    return { status: 'advice', code: 'spf_without_provider', values, record, publish }
  }
  return { status: 'ok', code: include ? 'spf_ok' : 'spf_found', values, record }
}

/** The records of providers that use the same content for every domain. Other providers show the records in their settings. */
const listProviderKeys = (domain: string, { provider, selectors }: SenderRecords): DnsRecord[] =>
  provider === 'fastmail'
    ? selectors.map(selector => ({
        type: 'CNAME',
        name: `${selector}._domainkey.${domain}`,
        content: `${selector}.${domain}.dkim.fmhosted.com`,
      }))
    : []

/** `own`: the selector of the key that Deskbell signs with. */
async function judgeDkim(
  dns: Dns,
  domain: string,
  provider: SenderRecords,
  own: string | null,
): Promise<Advice> {
  if (own !== null) return { status: 'ok', code: 'dkim_own', values: { selector: own } }
  const { selectors } = provider
  const names = selectors.map(selector => `${selector}._domainkey.${domain}`)
  const found = await Promise.all(names.map(name => findTexts(dns, name, /\bp=[\w+/]/)))
  const at = found.findIndex(records => records?.length)
  if (at >= 0)
    return { status: 'ok', code: 'dkim_ok', values: { selector: selectors[at]! }, record: found[at]![0]! }
  if (found.includes(null)) return { status: 'unknown', code: 'look_up_failed', values: { name: domain } }
  return {
    status: selectors.length ? 'missing' : 'unknown',
    code: selectors.length ? 'dkim_missing' : 'dkim_by_server',
    publish: listProviderKeys(domain, provider),
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
  if (record === undefined)
    return {
      status: 'missing',
      code: 'dmarc_missing',
      publish: [text(`_dmarc.${domain}`, 'v=DMARC1; p=none')],
    }
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
  ownSelector: string | null = null,
  dns: Dns = createDns(),
): Promise<SenderDomain> {
  const domain = domainToASCII(domainOf(address))
  const provider = findSenderRecords(sending === 'smtp' ? (smtp?.host ?? '') : '')
  const found = await Promise.all([
    judgeSpf(dns, domain, provider.spf),
    judgeDkim(dns, domain, provider, ownSelector),
    judgeDmarc(dns, domain),
  ])
  const kinds = ['spf', 'dkim', 'dmarc'] as const
  const records = found.map((advice, at) => ({
    ...{ record: null, publish: [] },
    ...advice,
    kind: kinds[at]!,
    values: { domain, ...advice.values },
  }))
  return { domain, provider: provider.provider, records }
}
