import { findPreset } from '../mailboxes/presets.ts'

/** IMAP servers of well-known providers. All of them accept TLS on port 993. */

export const providers = [
  'microsoft',
  'google',
  'fastmail',
  'gmx',
  'icloud',
  'ionos',
  'mailbox_org',
  'migadu',
  'ovh',
  'yahoo',
  'zoho',
] as const

export interface MailServer {
  provider: (typeof providers)[number] | null
  /** Empty if unknown. */
  host: string
}

/** By the names of their MX servers. */
const servers: [mx: RegExp, MailServer][] = [
  [/\.(?:protection\.outlook\.com|mx\.microsoft)$/, preset('microsoft')],
  [/\.(?:google|googlemail)\.com$/, preset('google')],
  [/\.messagingengine\.com$/, { provider: 'fastmail', host: 'imap.fastmail.com' }],
  [/\.gmx\.net$/, { provider: 'gmx', host: 'imap.gmx.net' }],
  [/\.icloud\.com$/, { provider: 'icloud', host: 'imap.mail.me.com' }],
  [/\.kundenserver\.de$/, { provider: 'ionos', host: 'imap.ionos.de' }],
  [/\.ionos\.com$/, { provider: 'ionos', host: 'imap.ionos.com' }],
  [/\.mailbox\.org$/, { provider: 'mailbox_org', host: 'imap.mailbox.org' }],
  [/\.migadu\.com$/, { provider: 'migadu', host: 'imap.migadu.com' }],
  [/\.ovh\.net$/, { provider: 'ovh', host: 'ssl0.ovh.net' }],
  [/\.yahoodns\.net$/, { provider: 'yahoo', host: 'imap.mail.yahoo.com' }],
  [/\.zoho\.eu$/, { provider: 'zoho', host: 'imap.zoho.eu' }],
  [/\.zoho\.com$/, { provider: 'zoho', host: 'imap.zoho.com' }],
]

function preset(provider: 'microsoft' | 'google'): MailServer {
  return { provider, host: findPreset(provider)!.host }
}

/** The server of the first MX record that names a known provider. */
export function findServer(mx: string[]): MailServer | null {
  const names = mx.map(name => `.${name.toLowerCase().replace(/\.$/, '')}`)
  return servers.find(([pattern]) => names.some(name => pattern.test(name)))?.[1] ?? null
}
