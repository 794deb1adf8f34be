import { domainToASCII } from 'node:url'
import type { Config } from '../../../core/config/config.ts'
import { domainOf } from '../../../core/email.ts'
import { createDns, type Dns } from '../../../mail/dns.ts'
import { readOwnAddress } from '../mailboxes/mailbox-input.ts'
import type { SmtpServer } from '../mailboxes/presets.ts'
import { findServer, type MailServer } from './mail-servers.ts'

/** Finds the mail servers of an address by its domain's DNS records. */

export interface DetectedServer extends MailServer {
  /** The fetched address is also the user name. */
  address: string
  /** Whether the host is only a guess from the domain. */
  is_guess: boolean
  /** Where this server accepts email directly; empty without MAIL_LISTEN. */
  listens_at: string[]
  /** Whether it can send through the server of SMTP_URL. */
  installation_sends: boolean
}

async function exists(dns: Dns, host: string): Promise<boolean> {
  const found = await Promise.any([dns.resolve4(host), dns.resolve6(host)]).catch(() => [])
  return found.length > 0
}

async function findFirst(dns: Dns, hosts: string[]): Promise<string | undefined> {
  const found = await Promise.all(hosts.map(host => exists(dns, host)))
  return hosts[found.indexOf(true)]
}

/** RFC 6186 and RFC 8314. The target `.` means that the domain does not offer the service. */
async function findSubmission(dns: Dns, domain: string): Promise<SmtpServer | null> {
  const find = async (service: string, security: SmtpServer['security']) => {
    const records = await dns.resolveSrv(`_${service}._tcp.${domain}`).catch(() => [])
    const [first] = records
      .filter(({ name }) => name !== '' && name !== '.')
      .sort((a, b) => a.priority - b.priority)
    return first ? { host: first.name.replace(/\.$/, ''), port: first.port, security } : null
  }
  const [tls, starttls] = await Promise.all([find('submissions', 'tls'), find('submission', 'starttls')])
  return tls ?? starttls
}

/** Usual names of servers. */
async function guessServer(dns: Dns, domain: string): Promise<MailServer> {
  const [host = '', submission, smtpHost] = await Promise.all([
    findFirst(dns, [`imap.${domain}`, `mail.${domain}`]),
    findSubmission(dns, domain),
    findFirst(dns, [`smtp.${domain}`, `mail.${domain}`]),
  ])
  const smtp = submission ?? (smtpHost ? { host: smtpHost, port: 465, security: 'tls' as const } : null)
  return { provider: null, host, smtp }
}

export async function detectServer(
  config: Pick<Config, 'mailListen' | 'smtpUrl' | 'mailFrom'>,
  given: string,
  dns: Dns = createDns(),
): Promise<DetectedServer> {
  const { mailListen, smtpUrl } = config
  const address = readOwnAddress(config, 'address', given)
  const domain = domainToASCII(domainOf(address))
  const records = await dns.resolveMx(domain).catch(() => [])
  const known = findServer(records.map(({ exchange }) => exchange))
  const server = known ?? (await guessServer(dns, domain))
  return {
    ...server,
    address,
    is_guess: known === null,
    listens_at: mailListen.map(({ protocol, host, port }) => `${protocol}://${host}:${port}`),
    installation_sends: smtpUrl !== null,
  }
}
