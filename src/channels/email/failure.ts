import type { ImapSettings, MailboxFault } from './mailbox.ts'

/** Why a mailbox cannot be fetched, in words that say what to do. */

export interface MailboxFailure extends Omit<MailboxFault, 'at'> {
  /** Milliseconds that the server asked to wait. */
  waitMs?: number
  /** Needs a person: trying again does not help. */
  isFinal?: boolean
}

/** An error whose words are known where it occurs. */
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

const networkWords: Record<string, (place: Place) => string> = {
  ENOTFOUND: ({ host }) => `No server has the name ${host}. Check the host.`,
  EAI_AGAIN: ({ host }) =>
    `The name ${host} could not be looked up. Check the name server of this machine; fetching is tried again.`,
  EBLOCKED: ({ host }) =>
    `${host} is in a network that projects on this server may not access. Ask the administrator to add it to WEBHOOK_ALLOWED_CIDRS.`,
  ECONNREFUSED: ({ host, port }) => `${host} refuses connections on port ${port}. Check host and port.`,
}

const unreachable = ({ host, port }: Place): string =>
  `${host} does not respond on port ${port}. Check host, port and firewalls; fetching is tried again.`

const suggestedWait = (words: string): number | undefined => {
  const [, amount] = /Backoff Time[:=\s]+(\d+)/i.exec(words) ?? []
  return amount === undefined ? undefined : Number(amount)
}

const wordsOf = (error: ImapError): string =>
  [error.responseText, typeof error.response === 'string' ? error.response : '', error.message]
    .filter(Boolean)
    .join(' ')

/** Microsoft says so while it is overloaded, and the login is right. */
const isLoad = (words: string): boolean => /authenticated but not connected/i.test(words)

const isThrottled = (error: ImapError, words: string): boolean =>
  error.code === 'ETHROTTLE' ||
  /throttl|too many (?:simultaneous |concurrent )?(?:connections|requests)|bandwidth|overquota/i.test(
    words,
  ) ||
  ['LIMIT', 'INUSE', 'UNAVAILABLE', 'OVERQUOTA'].includes(error.serverResponseCode ?? '')

function describeThrottle({ host }: Place, error: ImapError, words: string): MailboxFailure {
  const asked = error.throttleReset ?? suggestedWait(words)
  const waitMs = asked === undefined ? undefined : Math.max(asked - (error.throttleWaited ?? 0), 0)
  const text = `${host} is limiting how often it is asked. Fetching continues by itself after a pause.`
  return { code: 'throttled', text, ...(waitMs !== undefined && { waitMs }) }
}

const describeLogin = ({ host, user, auth }: Place): MailboxFailure =>
  auth === 'password'
    ? {
        code: 'login_refused',
        text: `${host} refuses the login of ${user}. Check the user name and the password; many providers need an app password.`,
      }
    : {
        code: 'login_refused',
        text: `${host} refuses the access of ${user}. Check that the account that granted it may open this mailbox, then connect it again.`,
      }

const isOfDatabase = ({ name, code = '' }: ImapError): boolean =>
  name === 'PostgresError' || code.startsWith('CONNECTION_')

export function describeFailure(error: unknown, place: Place): MailboxFailure {
  if (error instanceof MailboxError) return error.failure
  const failed = error as ImapError
  const code = failed.code ?? ''
  if (isOfDatabase(failed))
    return {
      code: 'database',
      text: 'The database of this server does not respond. Fetching is tried again.',
    }
  const words = wordsOf(failed)
  if (isLoad(words) || isThrottled(failed, words)) return describeThrottle(place, failed, words)
  if (failed.authenticationFailed) return describeLogin(place)
  if (networkWords[code]) return { code: code.toLowerCase(), text: networkWords[code](place) }
  if (tlsCodes.test(code) || failed.code?.includes('CERT'))
    return {
      code: 'tls',
      text: `There is no secure connection to ${place.host} (${failed.message}). Check the port and the kind of encryption.`,
    }
  if (
    /^(E[A-Z]+|CONNECT_TIMEOUT|GREETING_TIMEOUT|UPGRADE_TIMEOUT|NoConnection|ClosedAfterConnectText)$/.test(
      code,
    )
  )
    return { code: 'unreachable', text: unreachable(place) }
  return { code: 'server', text: `${place.host} answered with an error: ${failed.message.slice(0, 300)}` }
}
