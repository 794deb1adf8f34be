import * as parse from './config-values.ts'
import { setting } from './config-values.ts'

export interface MailListener {
  protocol: 'smtp' | 'lmtp'
  host: string
  port: number
}

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map(part => part.trim())
    .filter(Boolean)

/** Such as `smtp://0.0.0.0:2525,lmtp://127.0.0.1:2424`. */
const mailListeners = (value: string): MailListener[] =>
  splitList(value).map(part => {
    const [, protocol, host, port] =
      /^(smtp|lmtp):\/\/(\[[0-9a-f:.]+\]|[\w.-]+):(\d{1,5})\/?$/i.exec(part) ?? []
    if (!protocol || !host || Number(port) > 65_535)
      throw new Error('a list of smtp://HOST:PORT and lmtp://HOST:PORT, such as smtp://0.0.0.0:2525')
    const name = protocol.toLowerCase() as MailListener['protocol']
    return { protocol: name, host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
  })

/** Receiving mail. */
export const mailSettings = {
  mailListen: setting('MAIL_LISTEN', '', mailListeners, {
    about:
      'Where processes with the role `channels` receive mail themselves, as a list of `smtp://HOST:PORT` and `lmtp://HOST:PORT`. A mail server in front, such as Postfix, delivers to it, or the MX record of a domain names it. Mail is accepted for mailboxes of the kind `listen`. If it is not set, mail is only fetched by IMAP.',
    example: 'smtp://0.0.0.0:2525,lmtp://127.0.0.1:2424',
  }),
  mailTlsCert: setting('MAIL_TLS_CERT', '', parse.optional(parse.path), {
    about:
      'The file with the certificate of MAIL_LISTEN and its chain, in PEM. With it, clients may encrypt by STARTTLS. It is read again when a connection begins and the file has changed.',
    example: '/etc/deskbell/mx.example.com.crt',
  }),
  mailTlsKey: setting('MAIL_TLS_KEY', '', parse.optional(parse.path), {
    about: 'The file with the private key that belongs to MAIL_TLS_CERT.',
    example: '/etc/deskbell/mx.example.com.key',
  }),
  mailConnections: setting('MAIL_CONNECTIONS', '200', parse.integer(1, 100_000), {
    about: 'How many connections MAIL_LISTEN accepts at the same time in a process, from 1 to 100000.',
    example: '50',
  }),
  mailConnectionsPerIp: setting('MAIL_CONNECTIONS_PER_IP', '20', parse.integer(1, 100_000), {
    about:
      'How many of these connections may come from the same address. A mail server in front of Deskbell has one address.',
    example: '100',
  }),
  mailRawDays: setting('MAIL_RAW_DAYS', '365', parse.integer(1, 36_500), {
    about:
      'How many days the original of a mail is kept after it has been handled, from 1 to 36500. Mails that could not be handled keep theirs until somebody has dealt with them.',
    example: '90',
  }),
}
