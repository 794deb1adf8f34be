import { errorOf } from '../../../core/thrown.ts'
import type { Fault, FaultCode } from './fault.ts'
import { wordFault } from './fault.ts'
import type { ImapSettings } from './mailbox.ts'

/** Explains why a mailbox cannot be fetched. */

export interface MailboxFailure extends Fault {
  /** The wait that the server requested, in milliseconds. */
  waitMs?: number
  /** Retrying will not help: someone has to correct the settings. */
  isFinal?: boolean
}

/** An error that already carries its own explanation. */
export class MailboxError extends Error {
  readonly failure: MailboxFailure
  constructor(failure: MailboxFailure, cause?: unknown) {
    super(wordFault(failure), { cause })
    this.failure = failure
  }
}

interface ImapError extends Error {
  code?: string
  authenticationFailed?: boolean
  serverResponseCode?: string
  responseText?: string
  response?: unknown
  throttleReset?: number
  throttleWaited?: number
  oauthError?: unknown
  /** The server does not offer STARTTLS, or its TLS handshake failed. */
  tlsFailed?: boolean
}

type Place = Pick<ImapSettings, 'host' | 'port' | 'user' | 'auth'>

const certificateCodes = /CERT|^(UNABLE_TO|DEPTH_ZERO|SELF_SIGNED)/
const notImapCodes =
  /^(ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)|ParserError|UnexpectedTag|MissingTag|InvalidResponse|GREETING_TIMEOUT|ClosedAfterConnectText)/
const tlsCodes = /^(ERR_TLS|ERR_SSL|EPROTO|ClosedAfterConnectTLS)/
const networkCodes =
  /^(E[A-Z]+|CONNECT_TIMEOUT|GREETING_TIMEOUT|UPGRADE_TIMEOUT|NoConnection|ClosedAfterConnectText)$/

const namedCodes: Record<string, FaultCode> = {
  ENOTFOUND: 'enotfound',
  EAI_AGAIN: 'eai_again',
  EBLOCKED: 'eblocked',
  ECONNREFUSED: 'econnrefused',
}

const suggestedWait = (responseText: string): number | undefined => {
  const [, amount] = /Backoff Time[:=\s]+(\d+)/i.exec(responseText) ?? []
  return amount === undefined ? undefined : Number(amount)
}

const responseTextOf = (error: ImapError): string =>
  [error.responseText, typeof error.response === 'string' ? error.response : '', error.message]
    .filter(Boolean)
    .join(' ')

/** Microsoft sends this text under overload, although the credentials are correct. */
const isOverload = (responseText: string): boolean => /authenticated but not connected/i.test(responseText)

const isThrottled = (error: ImapError, responseText: string): boolean =>
  error.code === 'ETHROTTLE' ||
  /throttl|too many (?:simultaneous |concurrent )?(?:connections|requests)|bandwidth|overquota/i.test(
    responseText,
  ) ||
  ['LIMIT', 'INUSE', 'UNAVAILABLE', 'OVERQUOTA'].includes(error.serverResponseCode ?? '')

function describeThrottle({ host }: Place, error: ImapError, responseText: string): MailboxFailure {
  const requestedMs = error.throttleReset ?? suggestedWait(responseText)
  const waitMs =
    requestedMs === undefined ? undefined : Math.max(requestedMs - (error.throttleWaited ?? 0), 0)
  return { code: 'throttled', values: { host }, ...(waitMs !== undefined && { waitMs }) }
}

const describeLogin = ({ host, user, auth }: Place): MailboxFailure => ({
  code: auth === 'password' ? 'login_refused' : 'access_denied',
  values: { host, user },
})

const isDatabaseError = ({ name, code = '' }: ImapError): boolean =>
  name === 'PostgresError' || code.startsWith('CONNECTION_')

function describeConnection(
  { code = '', message, tlsFailed }: ImapError,
  { host, port }: Place,
): MailboxFailure {
  const values = { host, port: String(port), reason: message.slice(0, 300) }
  if (namedCodes[code]) return { code: namedCodes[code], values }
  if (tlsFailed && !code) return { code: 'no_starttls', values }
  if (certificateCodes.test(code)) return { code: 'certificate', values }
  if (notImapCodes.test(code)) return { code: 'not_imap', values }
  if (tlsCodes.test(code)) return { code: 'tls', values }
  return { code: networkCodes.test(code) ? 'unreachable' : 'server', values }
}

export function describeFailure(error: unknown, place: Place): MailboxFailure {
  if (error instanceof MailboxError) return error.failure
  const failed: ImapError = errorOf(error)
  if (isDatabaseError(failed)) return { code: 'database', values: {} }
  const responseText = responseTextOf(failed)
  if (isOverload(responseText) || isThrottled(failed, responseText))
    return describeThrottle(place, failed, responseText)
  return failed.authenticationFailed ? describeLogin(place) : describeConnection(failed, place)
}
