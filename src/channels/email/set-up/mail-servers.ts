import { type KnownServer, knownServers, providers } from '../mailboxes/known-servers.ts'
import type { SmtpServer } from '../mailboxes/presets.ts'

export { providers }

export interface MailServer {
  provider: KnownServer['provider'] | null
  /** The IMAP server; empty if unknown. */
  host: string
  /** Null if unknown. */
  smtp: SmtpServer | null
}

/** The servers of the first MX record that names a known provider. */
export function findServer(mx: string[]): MailServer | null {
  const names = mx.map(name => `.${name.toLowerCase().replace(/\.$/, '')}`)
  const found = knownServers.find(({ mx: pattern }) => names.some(name => pattern.test(name)))
  return found ? { provider: found.provider, host: found.host, smtp: found.smtp } : null
}
