import type { ImapSettings, MailboxFault } from './mailbox.ts'

/** Explains why a mailbox cannot be fetched, and what to do about it. */

export interface MailboxFailure extends Omit<MailboxFault, 'at'> {
  /** The wait that the server requested, in milliseconds. */
  waitMs?: number
  /** Retrying will not help: someone has to correct the settings. */
  isFinal?: boolean
}

/** An error that already carries its own explanation. */
export class MailboxError extends Error {
  readonly failure: MailboxFailure
  constructor(failure: MailboxFailure, cause?: unknown) {
    super(failure.text, { cause })
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
}

type Place = Pick<ImapSettings, 'host' | 'port' | 'user' | 'auth'>

const tlsCodes = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|EPROTO|ClosedAfterConnectTLS)/

const networkTexts: Record<string, (place: Place) => string> = {
  ENOTFOUND: ({ host }) => `The host ${host} does not exist. Check its spelling.`,
  EAI_AGAIN: ({ host }) =>
    `The name ${host} could not be resolved. Check this machine's DNS settings. Deskbell will retry.`,
  EBLOCKED: ({ host }) =>
    `${host} is in a network that projects on this server are not allowed to access. Ask the administrator to add it to WEBHOOK_ALLOWED_CIDRS.`,
  ECONNREFUSED: ({ host, port }) =>
    `${host} refused the connection on port ${port}. Check the host and the port.`,
}

const unreachable = ({ host, port }: Place): string =>
  `${host} does not respond on port ${port}. Check the host, the port and any firewalls. Deskbell will retry.`

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
  const text = `${host} is rate limiting this mailbox. Deskbell will retry after a pause.`
  return { code: 'throttled', text, ...(waitMs !== undefined && { waitMs }) }
}

const describeLogin = ({ host, user, auth }: Place): MailboxFailure =>
  auth === 'password'
    ? {
        code: 'login_refused',
        text: `${host} rejected the login for ${user}. Check the user name and the password. Many providers require an app password.`,
      }
    : {
        code: 'login_refused',
        text: `${host} denied access to ${user}. Check that the connected account is allowed to open this mailbox, then reconnect it.`,
      }

const isDatabaseError = ({ name, code = '' }: ImapError): boolean =>
  name === 'PostgresError' || code.startsWith('CONNECTION_')

export function describeFailure(error: unknown, place: Place): MailboxFailure {
  if (error instanceof MailboxError) return error.failure
  const failed = error as ImapError
  const code = failed.code ?? ''
  if (isDatabaseError(failed))
    return {
      code: 'database',
      text: 'The database of this Deskbell server does not respond. Deskbell will retry.',
    }
  const responseText = responseTextOf(failed)
  if (isOverload(responseText) || isThrottled(failed, responseText))
    return describeThrottle(place, failed, responseText)
  if (failed.authenticationFailed) return describeLogin(place)
  if (networkTexts[code]) return { code: code.toLowerCase(), text: networkTexts[code](place) }
  if (tlsCodes.test(code) || failed.code?.includes('CERT'))
    return {
      code: 'tls',
      text: `No secure connection to ${place.host} could be established (${failed.message}). Check the port and the encryption setting.`,
    }
  if (
    /^(E[A-Z]+|CONNECT_TIMEOUT|GREETING_TIMEOUT|UPGRADE_TIMEOUT|NoConnection|ClosedAfterConnectText)$/.test(
      code,
    )
  )
    return { code: 'unreachable', text: unreachable(place) }
  return { code: 'server', text: `${place.host} returned an error: ${failed.message.slice(0, 300)}` }
}
