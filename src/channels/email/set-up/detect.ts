import { Resolver } from 'node:dns/promises'
import { domainToASCII } from 'node:url'
import type { Config } from '../../../core/config.ts'
import { readMailAddress } from '../mailboxes/mailbox-input.ts'
import { findServer, type MailServer } from './mail-servers.ts'

/** Finds the mail server of an address by its domain's DNS records. */

export interface DetectedServer extends MailServer {
  /** The fetched address is also the user name. */
  address: string
  /** Whether the host is only a guess from the domain. */
  is_guess: boolean
  /** Where this server accepts email directly; empty without MAIL_LISTEN. */
  listens_at: string[]
}

export type Dns = Pick<Resolver, 'resolveMx' | 'resolve4' | 'resolve6'>

const createResolver = (): Dns => new Resolver({ timeout: 2_000, tries: 1 })

async function exists(dns: Dns, host: string): Promise<boolean> {
  const found = await Promise.any([dns.resolve4(host), dns.resolve6(host)]).catch(() => [])
  return found.length > 0
}

/** Usual names of IMAP servers. */
async function guessServer(dns: Dns, domain: string): Promise<MailServer | null> {
  const hosts = [`imap.${domain}`, `mail.${domain}`]
  const found = await Promise.all(hosts.map(host => exists(dns, host)))
  const host = hosts[found.indexOf(true)]
  return host === undefined ? null : { provider: null, host }
}

export async function detectServer(
  { mailListen }: Pick<Config, 'mailListen'>,
  given: string,
  dns: Dns = createResolver(),
): Promise<DetectedServer> {
  const address = readMailAddress('address', given)
  const domain = domainToASCII(address.slice(address.lastIndexOf('@') + 1))
  const records = await dns.resolveMx(domain).catch(() => [])
  const known = findServer(records.map(({ exchange }) => exchange))
  const server = known ?? (await guessServer(dns, domain)) ?? { provider: null, host: '' }
  return {
    ...server,
    address,
    is_guess: known === null,
    listens_at: mailListen.map(({ protocol, host, port }) => `${protocol}://${host}:${port}`),
  }
}
