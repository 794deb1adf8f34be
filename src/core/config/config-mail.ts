import * as parse from './config-values.ts'
import { setting } from './config-values.ts'

export interface MailListener {
  protocol: 'smtp' | 'lmtp'
  host: string
  port: number
}

export const listenerUrl = ({ protocol, host, port }: MailListener): string =>
  `${protocol}://${host.includes(':') ? `[${host}]` : host}:${port}`

/** Parses a list such as `smtp://0.0.0.0:2525,lmtp://127.0.0.1:2424`. */
const mailListeners = (value: string): MailListener[] =>
  parse.splitList(value).map(part => {
    const [, protocol, host, port] =
      /^(smtp|lmtp):\/\/(\[[0-9a-f:.]+\]|[\w.-]+):(\d{1,5})\/?$/i.exec(part) ?? []
    if (!protocol || !host || Number(port) > 65_535)
      throw new Error('a list of smtp://HOST:PORT and lmtp://HOST:PORT, such as smtp://0.0.0.0:2525')
    const name = protocol.toLowerCase() === 'smtp' ? 'smtp' : 'lmtp'
    return { protocol: name, host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
  })

/** Settings for receiving email. */
export const mailSettings = {
  mailListen: setting('MAIL_LISTEN', '', mailListeners, {
    about:
      "The addresses on which processes with the role `channels` accept email, as a list of `smtp://HOST:PORT` and `lmtp://HOST:PORT`. A mail server such as Postfix delivers to them by LMTP, or a domain's MX record points to them. Email by SMTP is checked with SPF, DKIM and DMARC; by LMTP, the results of the mailbox's trusted mail servers are used. They accept email for mailboxes of the kind `listen`. If this is not set, email is only fetched by IMAP.",
    example: 'smtp://0.0.0.0:2525,lmtp://127.0.0.1:2424',
  }),
  mailTlsCert: setting('MAIL_TLS_CERT', '', parse.optional(parse.path), {
    about:
      'The PEM file with the certificate and its chain for MAIL_LISTEN. It enables STARTTLS. A changed file is reloaded at the next connection.',
    example: '/etc/deskbell/mx.example.com.crt',
  }),
  mailTlsKey: setting('MAIL_TLS_KEY', '', parse.optional(parse.path), {
    about: 'The file with the private key for MAIL_TLS_CERT.',
    example: '/etc/deskbell/mx.example.com.key',
  }),
  mailConnections: setting('MAIL_CONNECTIONS', '200', parse.integer(1, 100_000), {
    about: 'The maximum number of concurrent MAIL_LISTEN connections per process, from 1 to 100000.',
    example: '50',
  }),
  mailConnectionsPerIp: setting('MAIL_CONNECTIONS_PER_IP', '50', parse.integer(1, 100_000), {
    about:
      'The maximum number of these connections from one address. If a mail server delivers to Deskbell, all connections come from its address. Postfix opens up to 20 and keeps as many idle ones for a moment.',
    example: '100',
  }),
  mailRawDays: setting('MAIL_RAW_DAYS', '365', parse.integer(1, 36_500), {
    about:
      'For how many days the original of an email is kept after it has been handled, from 1 to 36500. Originals of emails that could not be handled are kept.',
    example: '90',
  }),
}
