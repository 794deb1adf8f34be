import { Resolver } from 'node:dns/promises'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import type { DNSResolver } from 'mailauth'
import { within } from '../core/async/in-time.ts'
import type { Authentication, MailVerdict } from './authentication.ts'
import { mailLimits } from './limits.ts'

/** Our own check of SPF, DKIM, DMARC and ARC, for email that a stranger's server delivered to us directly. */

/** How the email was delivered. */
export interface SmtpDelivery {
  ip: string
  helo: string
  /** The envelope's sender; '' for a bounce. */
  sender: string
}

export type SenderCheck = (path: string, from: string, delivery: SmtpDelivery) => Promise<Authentication>

/** Milliseconds. */
const timeoutMs = 5_000
const dnsTimeoutMs = 2_000

const failures = ['fail', 'softfail', 'policy']

const verdictOf = (result: string | undefined): MailVerdict => {
  if (result === 'pass' || result === 'temperror') return result
  return failures.includes(result ?? '') ? 'fail' : 'none'
}

/** One valid signature is enough. */
const ofSignatures = (results: (string | undefined)[]): MailVerdict => {
  // The library reports a changed body as neutral.
  const verdicts = results.map(result => (result === 'neutral' ? 'fail' : verdictOf(result)))
  return (['pass', 'temperror', 'fail'] as const).find(verdict => verdicts.includes(verdict)) ?? 'none'
}

const all = (verdict: MailVerdict): Authentication => ({
  dmarc: verdict,
  spf: verdict,
  dkim: verdict,
  arc: verdict,
})

/** More than any legitimate email has. Each signature may need a hash of the whole body and a DNS query. */
const maxSignatures = 30

/** Whether the headers of an email are too long or have too many signatures. */
async function isExcessive(path: string): Promise<boolean> {
  const pieces = await createReadStream(path, { end: mailLimits.headerBytes - 1 }).toArray()
  const beginning = Buffer.concat(pieces).toString('latin1')
  const end = beginning.search(/\n\r?\n/)
  if (end < 0 && beginning.length === mailLimits.headerBytes) return true
  const signatures = beginning.slice(0, end < 0 ? undefined : end).match(/^dkim-signature[ \t]*:/gim)
  return (signatures?.length ?? 0) > maxSignatures
}

async function check(
  resolver: DNSResolver,
  content: Readable,
  from: string,
  { ip, helo, sender }: SmtpDelivery,
): Promise<Authentication> {
  const { authenticate } = await import('mailauth')
  try {
    const found = await authenticate(content, {
      ip,
      helo,
      sender,
      resolver,
      disableBimi: true,
      mta: 'deskbell',
    })
    const { dkim, spf, dmarc, arc } = found
    const domain = from.slice(from.lastIndexOf('@') + 1).toLowerCase()
    // An email may contain several From headers, of which two programs could choose different ones.
    const isOfSender = dmarc && dmarc.status.header?.from?.toLowerCase() === domain
    return {
      dmarc: isOfSender ? verdictOf(dmarc.status.result) : 'none',
      spf: verdictOf(spf ? spf.status.result : undefined),
      dkim: ofSignatures(dkim.results.map(({ status }) => status.result)),
      arc: verdictOf(arc ? arc.status.result : undefined),
    }
  } finally {
    content.destroy()
  }
}

/**
 * Without DNS, the results are `temperror`. An email with excessive headers is not checked and counts as failed.
 * `nameServers`: those of the system by default.
 */
export function makeSenderCheck(nameServers?: string[]): SenderCheck {
  const dns = new Resolver({ timeout: dnsTimeoutMs, tries: 1 })
  if (nameServers) dns.setServers(nameServers)
  const resolver = ((name, type) => dns.resolve(name, type)) as DNSResolver
  return async (path, from, delivery) => {
    if (await isExcessive(path)) return all('fail')
    const content = createReadStream(path)
    const checked = check(resolver, content, from, delivery).catch(() => all('temperror'))
    return within(timeoutMs, checked, () => {
      content.destroy(new Error('The check takes too long'))
      return all('temperror')
    })
  }
}
