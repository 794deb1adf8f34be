import { transact } from '../../../events/transaction.ts'
import { BotApiRefusal, NoAnswer } from '../bot-api/errors.ts'
import { migrateChat } from '../incoming/migrate-chat.ts'
import { updateBotFailed } from '../receiving/lease-queries.ts'
import { FileMissing } from './call-part.ts'
import { type OpenSend, type SendingDeps, usualUncertainMs } from './open-send.ts'
import { updateBotHeld } from './rate-queries.ts'
import { postponeSend, recordSendFailed, recordSent } from './record.ts'

/** What a call that failed means for a message, its chat and its bot. */

const second = 1_000
const minute = 60 * second

/**
 * The pauses after failed attempts, during about 12 hours. They are short because the chat's other messages wait too. After the
 * attempt that follows the last pause, the message has failed.
 */
export const telegramPauses = [
  ...[second, 5 * second, 15 * second, minute, 5 * minute],
  ...Array.from({ length: 48 }, () => 15 * minute),
]

interface FailedPart {
  part: number
  isLast: boolean
}

/** The phase before the call: a part whose answer was lost before stays uncertain. */
const phaseBefore = ({ claimed }: OpenSend) => (claimed.phase === 'uncertain' ? 'uncertain' : 'waiting')

const fail = (
  { db }: SendingDeps,
  { claimed, send }: OpenSend,
  code: string | null,
  words: string,
  isBlocked = false,
) => recordSendFailed(db, claimed, { ticket_id: send.ticket_id, address: send.title, code, words, isBlocked })

async function retryLater(
  deps: SendingDeps,
  open: OpenSend,
  code: string | null,
  words: string,
): Promise<void> {
  const { pauses = telegramPauses } = deps
  const waitMs = pauses[open.claimed.attempts]
  if (waitMs === undefined) return fail(deps, open, code, words)
  // The other chats of the bot would wait for the same server, and hold up other bots meanwhile.
  if (words === 'unreachable') await updateBotHeld(deps.db, open.claimed.project_id, open.bot.id, waitMs)
  const attempts = open.claimed.attempts + 1
  await postponeSend(deps.db, open.claimed, { waitMs, phase: phaseBefore(open), attempts }, words)
}

/** The answer was lost. The part is sent once more, and marked; after that nobody knows. */
async function judgeLost(deps: SendingDeps, open: OpenSend, { part, isLast }: FailedPart): Promise<void> {
  const { db, uncertainMs = usualUncertainMs } = deps
  const { claimed, send } = open
  if (claimed.phase !== 'uncertain')
    return postponeSend(db, claimed, { waitMs: uncertainMs, phase: 'uncertain' })
  await recordSent(db, claimed, send, { messages: [], part, isLast, mark: 'outcome_unknown' })
}

/** Nobody can use the token until somebody corrects it. The messages of the bot wait. */
async function breakBot({ db }: SendingDeps, { claimed, bot }: OpenSend): Promise<void> {
  const fault = { code: 'token_refused', values: {} }
  await updateBotFailed(db, bot, { version: bot.version, fault, waitMs: 0, isBroken: true })
  const phase = claimed.phase === 'uncertain' ? 'uncertain' : 'waiting'
  await postponeSend(db, claimed, { waitMs: 0, phase })
}

async function judgeRefusal(deps: SendingDeps, open: OpenSend, error: BotApiRefusal): Promise<void> {
  const { db } = deps
  const { claimed, send, bot } = open
  const { code, message, retryAfter, migratedTo } = error
  if (retryAfter !== null) {
    const waitMs = retryAfter * second + 50
    // Groups have a limit of their own.
    if (send.telegram_chat_id > 0) await updateBotHeld(db, claimed.project_id, bot.id, waitMs)
    return postponeSend(db, claimed, { waitMs, phase: phaseBefore(open) })
  }
  if (migratedTo !== null) {
    await transact(db, claimed.project_id, tx => migrateChat(tx, bot.id, send.telegram_chat_id, migratedTo))
    return postponeSend(db, claimed, { waitMs: 0, phase: phaseBefore(open) })
  }
  if (code === 401 || code === 404) return breakBot(deps, open)
  const words = `${code} ${message}`
  if (code >= 500) return retryLater(deps, open, String(code), words)
  return fail(deps, open, String(code), words, code === 403)
}

/** Servers between Deskbell and Telegram answer so if they got no answer themselves. */
const isFromBetween = (error: unknown): boolean =>
  error instanceof BotApiRefusal && [502, 504].includes(error.code)

export const hasNoAnswer = (error: unknown): boolean => error instanceof NoAnswer || isFromBetween(error)

const isLost = (error: unknown): boolean => (error instanceof NoAnswer ? error.isSent : isFromBetween(error))

export async function judgeFailure(
  deps: SendingDeps,
  open: OpenSend,
  error: unknown,
  failed: FailedPart,
): Promise<void> {
  if (isLost(error)) return judgeLost(deps, open, failed)
  if (error instanceof BotApiRefusal) return judgeRefusal(deps, open, error)
  if (error instanceof NoAnswer && error.cause instanceof FileMissing)
    return fail(deps, open, null, 'file_missing')
  if (error instanceof NoAnswer) return retryLater(deps, open, null, 'unreachable')
  throw error
}
