import { Resolver } from 'node:dns/promises'
import { createReadStream } from 'node:fs'
import type { DNSResolver } from 'mailauth'
import { within } from '../core/in-time.ts'
import type { Authentication, MailVerdict } from './authentication.ts'

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

const temporary: Authentication = {
  dmarc: 'temperror',
  spf: 'temperror',
  dkim: 'temperror',
  arc: 'temperror',
}

async function check(
  resolver: DNSResolver,
  path: string,
  from: string,
  { ip, helo, sender }: SmtpDelivery,
): Promise<Authentication> {
  const { authenticate } = await import('mailauth')
  const content = createReadStream(path)
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

/** Never rejects: without DNS, the results are `temperror`. `nameServers`: those of the system by default. */
export function makeSenderCheck(nameServers?: string[]): SenderCheck {
  const dns = new Resolver({ timeout: dnsTimeoutMs, tries: 1 })
  if (nameServers) dns.setServers(nameServers)
  const resolver = ((name, type) => dns.resolve(name, type)) as DNSResolver
  return (path, from, delivery) =>
    within(
      timeoutMs,
      check(resolver, path, from, delivery).catch(() => temporary),
      () => temporary,
    )
}
