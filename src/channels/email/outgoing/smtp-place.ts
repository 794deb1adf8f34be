import { mayReachAll } from '../../../core/http/guarded-agent.ts'
import type { TokenDeps } from '../mailboxes/access-token.ts'
import { MailboxError } from '../mailboxes/failure.ts'
import type { FetchedMailbox } from '../mailboxes/mailbox.ts'
import { placeOfSmtp, type SmtpPlace } from '../mailboxes/smtp-failure.ts'
import { useSmtpLogin } from '../mailboxes/smtp-login.ts'
import { openSmtp, type SmtpSession, type SmtpTarget, type SmtpTimeouts } from './smtp-session.ts'

/** Connects to the server that sends for a mailbox. */

export interface ConnectDeps extends TokenDeps {
  smtpUrl: string | null
  timeouts?: SmtpTimeouts | undefined
}

/** The server of the installation is the administrator's choice, so its address is not checked. */
async function readInstallation(smtpUrl: string | null): Promise<SmtpTarget> {
  if (!smtpUrl) throw new MailboxError({ code: 'no_smtp_url', values: {} })
  const { parseConnectionUrl } = await import('nodemailer/lib/shared')
  const { host, port, secure, auth, tls, requireTLS, ignoreTLS } = parseConnectionUrl(smtpUrl)
  return {
    host: host ?? 'localhost',
    port: Number(port) || (secure ? 465 : 587),
    secure: secure ?? false,
    requireTLS: requireTLS === true,
    ignoreTLS: ignoreTLS === true,
    auth: auth?.user ? { user: auth.user, pass: auth.pass ?? '' } : null,
    tls,
    mayReach: mayReachAll,
  }
}

export const connectSender = async (deps: ConnectDeps, mailbox: FetchedMailbox): Promise<SmtpSession> =>
  mailbox.sending === 'installation'
    ? openSmtp(await readInstallation(deps.smtpUrl), deps.timeouts)
    : useSmtpLogin(deps, mailbox, login => openSmtp({ ...login, mayReach: deps.mayReach }, deps.timeouts))

/** What a failure is about. */
export function faultPlaceOf({ smtpUrl }: ConnectDeps, mailbox: FetchedMailbox): SmtpPlace {
  if (mailbox.sending !== 'installation' || !smtpUrl) return placeOfSmtp(mailbox)
  const { hostname: host, port, username: user } = new URL(smtpUrl)
  const { address } = mailbox
  return { host, port: Number(port), user, address, login: user ? 'password' : 'none' }
}
