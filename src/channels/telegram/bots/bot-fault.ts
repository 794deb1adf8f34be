import { NoAnswer } from '../../../core/http/guarded-request.ts'
import { fillPlaceholders } from '../../../core/text/texts.ts'
import { BotApiRefusal } from '../bot-api/errors.ts'

/** Bot problems: a code and values, with an English text for the API, the command line and the log. */

export const botFaultTexts = {
  token_refused:
    'Telegram does not accept the token. Copy it again from @BotFather. It may have been replaced, or the bot may have been deleted.',
  other_program:
    "Another program is fetching this bot's messages. Stop that program, or create another bot with @BotFather.",
  webhook_failed:
    'Telegram could not deliver messages to {url}: {reason}. Check that this address can be reached from the internet.',
  webhook_refused: 'Telegram rejected the webhook address {url}: {reason}',
  eblocked:
    '{host} is in a network that projects on this server are not allowed to access. Ask the administrator to add it to WEBHOOK_ALLOWED_CIDRS.',
  enotfound: 'The host {host} does not exist. Check its spelling.',
  unreachable: '{host} does not respond ({reason}). Deskbell will retry.',
  throttled: '{host} is rate limiting this bot. Deskbell will retry after a pause.',
  server: '{host} returned an error: {reason}. Deskbell will retry.',
} as const

export type BotFaultCode = keyof typeof botFaultTexts

export interface BotFault {
  code: BotFaultCode
  values: Record<string, string>
  /** Whether the bot stays broken until someone fixes the problem. */
  isFinal: boolean
  /** Milliseconds to wait before the next call, if the server sent a number. */
  waitMs?: number
}

const texts: Record<string, string> = botFaultTexts

export const wordBotFault = ({ code, values }: { code: string; values: Record<string, string> }): string =>
  fillPlaceholders(texts[code] ?? code, values)

export const withFaultText = <F extends { code: string; values: Record<string, string> }>(
  fault: F,
): F & { text: string } => ({ ...fault, text: wordBotFault(fault) })

const addressFaults: Record<string, BotFaultCode> = { EBLOCKED: 'eblocked', ENOTFOUND: 'enotfound' }

/** The problem that a failed call indicates. */
export function describeBotFault(error: unknown, apiRoot: string): BotFault {
  const host = URL.parse(apiRoot)?.hostname ?? 'api.telegram.org'
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, 300)
  if (error instanceof BotApiRefusal) {
    if (error.isFromProxy) return { code: 'server', values: { host, reason }, isFinal: false }
    if (error.code === 401 || (error.code === 404 && apiRoot === ''))
      return { code: 'token_refused', values: {}, isFinal: true }
    if (error.code === 409) return { code: 'other_program', values: {}, isFinal: false }
    if (error.retryAfter !== null)
      return { code: 'throttled', values: { host }, isFinal: false, waitMs: error.retryAfter * 1_000 }
    return { code: 'server', values: { host, reason }, isFinal: false }
  }
  const code = error instanceof NoAnswer ? addressFaults[error.code] : undefined
  if (code) return { code, values: { host }, isFinal: code === 'eblocked' }
  return { code: 'unreachable', values: { host, reason }, isFinal: false }
}
