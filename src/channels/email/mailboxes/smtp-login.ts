import { isIP } from 'node:net'
import type { Transporter } from 'nodemailer'
import type { MayReach } from '../../../core/http/guarded-agent.ts'
import { lookUpHost } from '../../../core/http/guarded-agent.ts'
import { stringOf } from '../../../core/objects.ts'
import { getAccessToken, type TokenDeps } from './access-token.ts'
import type { FetchedMailbox, MailboxSecrets } from './mailbox.ts'
import { openSecrets } from './secrets.ts'
import { describeSmtpFailure, placeOfSmtp } from './smtp-failure.ts'

/** The server through which a mailbox sends, with the login for it. */

export interface SmtpLogin {
  host: string
  port: number
  secure: boolean
  requireTLS: boolean
  ignoreTLS: boolean
  auth: { user: string; pass: string } | { type: 'OAuth2'; user: string; accessToken: string } | null
}

type SendingMailbox = Pick<FetchedMailbox, 'smtp' | 'imap'>

const usesToken = ({ smtp, imap }: SendingMailbox): boolean => smtp?.auth === 'imap' && imap?.auth === 'oauth'

function readAuth(
  { smtp, imap }: SendingMailbox,
  { password, smtp_password }: MailboxSecrets,
  token: string | null,
): SmtpLogin['auth'] {
  if (smtp?.auth === 'password') return { user: smtp.user, pass: smtp_password ?? '' }
  if (smtp?.auth !== 'imap') return null
  const user = imap?.user ?? ''
  return token === null ? { user, pass: password ?? '' } : { type: 'OAuth2', user, accessToken: token }
}

/** `token` is the access token of a mailbox whose login is OAuth 2. */
export function readSmtpLogin(
  mailbox: SendingMailbox,
  secrets: MailboxSecrets,
  token: string | null,
): SmtpLogin {
  const { host, port, security } = mailbox.smtp!
  return {
    ...{ host, port },
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    auth: readAuth(mailbox, secrets, token),
  }
}

/** Renews an expired access token first. `rejected` is a token that the server did not accept. */
async function getSmtpLogin(
  deps: TokenDeps,
  mailbox: FetchedMailbox,
  rejected: string | null = null,
): Promise<SmtpLogin> {
  const token = usesToken(mailbox)
    ? await getAccessToken(deps, mailbox, mailbox.imap!.oauth!, rejected)
    : null
  return readSmtpLogin(mailbox, openSecrets(deps.vault, mailbox), token)
}

/** Milliseconds. */
const timeouts = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 30_000 }

/** Without `forceAuth`, the library would omit the login if the server does not offer one. */
const optionsFor = ({ auth, host, ...server }: SmtpLogin, address: string) => ({
  ...server,
  ...timeouts,
  host: address,
  // The certificate is issued for the host name, not for the address.
  ...(isIP(host) === 0 && { servername: host, tls: { servername: host } }),
  ...(auth && { auth, forceAuth: true }),
})

const isUnreached = (error: unknown): boolean =>
  ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'].includes(
    stringOf(error, 'originalCode') ?? stringOf(error, 'code') ?? '',
  )

/** Tries the host's addresses in order until one accepts the connection. */
async function useLogin<T>(
  login: SmtpLogin,
  mayReach: MayReach,
  work: (transport: Transporter) => Promise<T>,
): Promise<T> {
  const { createTransport } = await import('nodemailer')
  const addresses = await lookUpHost(login.host, mayReach)
  for (const [at, address] of addresses.entries()) {
    const transport = createTransport(optionsFor(login, address))
    try {
      return await work(transport)
    } catch (error) {
      if (!isUnreached(error) || at === addresses.length - 1) throw error
    } finally {
      transport.close()
    }
  }
  throw Object.assign(new Error(`${login.host} has no address`), { code: 'ENOTFOUND' })
}

/** A rejected access token may have been revoked before it expired, so it is renewed once. */
export async function useSmtpLogin<T>(
  deps: TokenDeps,
  mailbox: FetchedMailbox,
  work: (login: SmtpLogin) => Promise<T>,
): Promise<T> {
  const login = await getSmtpLogin(deps, mailbox)
  try {
    return await work(login)
  } catch (error) {
    const { auth } = login
    const isRejected = describeSmtpFailure(error, placeOfSmtp(mailbox)).code === 'send_denied'
    if (!isRejected || !auth || !('accessToken' in auth)) throw error
    return work(await getSmtpLogin(deps, mailbox, auth.accessToken))
  }
}

/** Calls `work` with a connection to the mailbox's SMTP server. */
export const useSmtp = <T>(
  deps: TokenDeps,
  mailbox: FetchedMailbox,
  work: (transport: Transporter) => Promise<T>,
): Promise<T> => useSmtpLogin(deps, mailbox, login => useLogin(login, deps.mayReach, work))
