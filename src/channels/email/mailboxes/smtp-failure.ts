import { errorOf } from '../../../core/thrown.ts'
import { MailboxError, type MailboxFailure } from './failure.ts'
import type { FaultCode } from './fault.ts'
import type { FetchedMailbox } from './mailbox.ts'

/** Explains why a mailbox cannot send. */

interface SmtpError extends Error {
  code?: string
  /** The code of a system error, such as ECONNREFUSED. */
  originalCode?: string
  /** Set if the code is ETIMEDOUT. */
  timeoutType?: string
  /** The command that the server refused, such as `AUTH PLAIN`. */
  command?: string
  response?: string
  responseCode?: number
}

export interface SmtpPlace {
  host: string
  port: number
  user: string
  /** The sender. */
  address: string
  login: 'password' | 'oauth' | 'none'
}

export function placeOfSmtp({ smtp, imap, address }: FetchedMailbox): SmtpPlace {
  const { host = '', port = 0, auth = 'none', user = '' } = smtp ?? {}
  const isImap = auth === 'imap'
  const login = isImap ? (imap?.auth ?? 'password') : auth
  return { host, port, address, user: isImap ? (imap?.user ?? '') : user, login }
}

const networkCodes: Record<string, FaultCode> = {
  ENOTFOUND: 'enotfound',
  EDNS: 'enotfound',
  EAI_AGAIN: 'eai_again',
  EBLOCKED: 'eblocked',
  ECONNREFUSED: 'econnrefused',
  GREETING_TIMEOUT: 'no_greeting',
}

const certificateWords = /certificate|CERT|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|ALTNAME/i
const wrongProtocolWords = /wrong version number|packet length too long|ERR_SSL_WRONG/i

const isDatabaseError = ({ name, code = '' }: SmtpError): boolean =>
  name === 'PostgresError' || code.startsWith('CONNECTION_')

/** Limits of providers, such as Gmail's 4.7.28 and 5.4.5, and Microsoft's 5.2.252 and 4.3.2. */
const isLimit = ({ response = '' }: SmtpError): boolean =>
  /throttl|rate limit|too many|quota|limit (?:has been )?(?:exceeded|reached)|sending limit|\b[45]\.(?:4\.5|7\.28)\b/i.test(
    response,
  )

function describeLogin(error: SmtpError, { login }: SmtpPlace): FaultCode {
  const { responseCode = 0, response = '' } = error
  if (/SmtpClientAuthentication is disabled|5\.7\.139/i.test(response)) return 'smtp_disabled'
  if ([500, 502, 503, 504, 538].includes(responseCode)) return 'no_login_offered'
  // nodemailer ends a rejected token login without a code if the server asks for an empty answer.
  return login === 'oauth' ? 'send_denied' : 'send_login_refused'
}

function describeReply(error: SmtpError, place: SmtpPlace): FaultCode {
  const { responseCode = 0, command = '', response = '' } = error
  if (isLimit(error)) return 'send_limit'
  if (responseCode === 530) return /STARTTLS|TLS/i.test(response) ? 'needs_tls' : 'needs_login'
  if (command.startsWith('AUTH')) return responseCode < 500 ? 'server' : describeLogin(error, place)
  if (responseCode < 500) return 'server'
  if (command === 'MAIL FROM') return 'sender_refused'
  if (command === 'RCPT TO') return 'relay_refused'
  return 'server'
}

function describeBroken(error: SmtpError): FaultCode {
  const { code = '', originalCode = '', timeoutType = '', command = '', message } = error
  const known = networkCodes[timeoutType] ?? networkCodes[originalCode] ?? networkCodes[code]
  if (known) return known
  const words = `${originalCode} ${message}`
  if (wrongProtocolWords.test(words) || code === 'EPROTOCOL') return 'not_smtp'
  if (certificateWords.test(words)) return 'certificate'
  if (code === 'ETLS') return command === 'STARTTLS' && error.response ? 'no_starttls' : 'tls'
  return 'unreachable'
}

const codeOf = (error: SmtpError, place: SmtpPlace): FaultCode => {
  if (isDatabaseError(error)) return 'database'
  if (error.code === 'ETLS' || error.code === 'EPROTOCOL') return describeBroken(error)
  if (error.responseCode) return describeReply(error, place)
  return error.code === 'EAUTH' ? describeLogin(error, place) : describeBroken(error)
}

/** Retrying does not help: someone has to correct the settings. */
const finalCodes: FaultCode[] = [
  'smtp_disabled',
  'no_login_offered',
  'needs_login',
  'needs_tls',
  'sender_refused',
]

export function describeSmtpFailure(error: unknown, place: SmtpPlace): MailboxFailure {
  if (error instanceof MailboxError) return error.failure
  const failed: SmtpError = errorOf(error)
  const code = codeOf(failed, place)
  const { host, port, user, address } = place
  const reason = (failed.response ?? failed.message).replace(/\s+/g, ' ').slice(0, 300)
  return {
    code,
    values: { host, port: String(port), user, address, reason },
    ...(finalCodes.includes(code) && { isFinal: true }),
  }
}
