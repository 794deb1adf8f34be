import { findPreset, type SmtpServer } from './presets.ts'

/** Well-known providers. Their IMAP servers accept TLS on port 993. */

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

export interface KnownServer {
  provider: (typeof providers)[number]
  /** The names of its MX servers. */
  mx: RegExp
  host: string
  smtp: SmtpServer
}

const tls = (host: string): SmtpServer => ({ host, port: 465, security: 'tls' })

const preset = (provider: 'microsoft' | 'google', mx: RegExp): KnownServer => {
  const { host, smtp } = findPreset(provider)!
  return { provider, mx, host, smtp }
}

const known = (
  provider: KnownServer['provider'],
  mx: RegExp,
  host: string,
  smtp: SmtpServer,
): KnownServer => ({
  provider,
  mx,
  host,
  smtp,
})

export const knownServers: KnownServer[] = [
  preset('microsoft', /\.(?:protection\.outlook\.com|mx\.microsoft)$/),
  preset('google', /\.(?:google|googlemail)\.com$/),
  known('fastmail', /\.messagingengine\.com$/, 'imap.fastmail.com', tls('smtp.fastmail.com')),
  known('gmx', /\.gmx\.net$/, 'imap.gmx.net', tls('mail.gmx.net')),
  known('icloud', /\.icloud\.com$/, 'imap.mail.me.com', {
    host: 'smtp.mail.me.com',
    port: 587,
    security: 'starttls',
  }),
  known('ionos', /\.kundenserver\.de$/, 'imap.ionos.de', tls('smtp.ionos.de')),
  known('ionos', /\.ionos\.com$/, 'imap.ionos.com', tls('smtp.ionos.com')),
  known('mailbox_org', /\.mailbox\.org$/, 'imap.mailbox.org', tls('smtp.mailbox.org')),
  known('migadu', /\.migadu\.com$/, 'imap.migadu.com', tls('smtp.migadu.com')),
  known('ovh', /\.ovh\.net$/, 'ssl0.ovh.net', tls('ssl0.ovh.net')),
  known('yahoo', /\.yahoodns\.net$/, 'imap.mail.yahoo.com', tls('smtp.mail.yahoo.com')),
  known('zoho', /\.zoho\.eu$/, 'imap.zoho.eu', tls('smtp.zoho.eu')),
  known('zoho', /\.zoho\.com$/, 'imap.zoho.com', tls('smtp.zoho.com')),
]

interface SenderRecords {
  /** The domain that an SPF record includes to allow the provider. */
  spf?: string
  /** The names under which the provider publishes its DKIM keys. */
  selectors: string[]
}

/** What the provider's customers publish in the DNS of their domains. */
const senderRecords: Partial<Record<KnownServer['provider'], SenderRecords>> = {
  microsoft: { spf: 'spf.protection.outlook.com', selectors: ['selector1', 'selector2'] },
  google: { spf: '_spf.google.com', selectors: ['google'] },
  fastmail: { spf: 'spf.messagingengine.com', selectors: ['fm1', 'fm2', 'fm3'] },
  icloud: { spf: 'icloud.com', selectors: ['sig1'] },
  mailbox_org: { spf: 'mailbox.org', selectors: ['MBO0001', 'MBO0002'] },
  migadu: { spf: 'spf.migadu.com', selectors: ['key1', 'key2', 'key3'] },
  ovh: { spf: 'mx.ovh.com', selectors: [] },
}

export function findSenderRecords(smtpHost: string): SenderRecords {
  const server = knownServers.find(({ smtp }) => smtp.host === smtpHost)
  return (server && senderRecords[server.provider]) ?? { selectors: [] }
}

/** Whether the two servers belong to one another, so that the login of one may be sent to the other. */
export const isSameProvider = (imapHost: string, smtpHost: string): boolean =>
  imapHost === smtpHost || knownServers.some(({ host, smtp }) => host === imapHost && smtp.host === smtpHost)
