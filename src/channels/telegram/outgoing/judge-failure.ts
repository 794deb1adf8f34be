import { NoAnswer } from '../../../core/http/guarded-request.ts'
import { transact } from '../../../events/transaction.ts'
import { createAttemptRules } from '../../../outgoing/outgoing.ts'
import { updateAccountFailed } from '../../accounts/lease-queries.ts'
import { BotApiRefusal } from '../bot-api/errors.ts'
import { migrateChat } from '../incoming/migrate-chat.ts'
import { botTable } from '../receiving/lease-queries.ts'
import { FileMissing } from './call-part.ts'
import { type OpenSend, type SendingDeps, usualUncertainMs } from './open-send.ts'
import { updateBotHeld } from './rate-queries.ts'
import { postponeSend, recordSent } from './record.ts'
import { recordSendFailed, type SendFailure } from './record-failure.ts'

/** Decides what a failed call means for a message, its chat and its bot. */

const second = 1_000
const minute = 60 * second

/**
 * The pauses after failed attempts, about 12 hours in total. They are short because the chat's other messages wait too. If the attempt
 * after the last pause also fails, the message has failed.
 */
export const telegramPauses = [
  ...[second, 5 * second, 15 * second, minute, 5 * minute],
  ...Array.from({ length: 48 }, () => 15 * minute),
]

interface FailedPart {
  part: number
  isLast: boolean
}

/** The rules for the next attempt at a part. */
export function rulesOf(deps: SendingDeps, open: OpenSend, { part, isLast }: FailedPart) {
  const { db, pauses = telegramPauses, uncertainMs = usualUncertainMs } = deps
  const { claimed, send, bot } = open
  return createAttemptRules<SendFailure>(claimed, {
    pauses,
    uncertainMs,
    async postpone(next, failure) {
      const words = failure?.words ?? null
      // Other chats of this bot would hit the same unreachable server and delay other bots.
      if (words === 'unreachable') await updateBotHeld(db, claimed.project_id, bot.id, next.waitMs)
      await postponeSend(db, claimed, next, words)
    },
    recordFailed: failure => recordSendFailed(deps, claimed, send, failure),
    recordUnknown: failure =>
      recordSent(db, claimed, send, {
        ...{ messages: [], part, isLast, mark: 'outcome_unknown', isBlocked: failure?.isBlocked ?? false },
      }),
  })
}

/** Marks the bot as broken: its messages wait until an admin corrects the token. */
async function breakBot({ db }: SendingDeps, { bot }: OpenSend): Promise<void> {
  const fault = { code: 'token_refused', values: {} }
  await updateAccountFailed(db, botTable, bot, { fault, waitMs: 0, isBroken: true })
}

async function judgeRefusal(
  deps: SendingDeps,
  open: OpenSend,
  error: BotApiRefusal,
  failed: FailedPart,
): Promise<void> {
  const { db } = deps
  const { claimed, send, bot } = open
  const { fail, retryLater, wait } = rulesOf(deps, open, failed)
  const { code, message, retryAfter, migratedTo, isFromProxy } = error
  // The call did not reach the bot's server.
  if (isFromProxy) return retryLater({ code: null, words: 'unreachable' })
  if (retryAfter !== null) {
    const waitMs = retryAfter * second + 50
    // Groups have their own limit.
    if (send.telegram_chat_id > 0) await updateBotHeld(db, claimed.project_id, bot.id, waitMs)
    return wait(waitMs)
  }
  if (migratedTo !== null) {
    await transact(db, claimed.project_id, tx => migrateChat(tx, bot.id, send.telegram_chat_id, migratedTo))
    return wait(0)
  }
  if (code === 401 || code === 404) {
    await breakBot(deps, open)
    return wait(0)
  }
  const failure = { code: String(code), words: `${code} ${message}`, isBlocked: code === 403 }
  if (code >= 500) return retryLater(failure)
  return fail(failure)
}

/** Servers between Deskbell and Telegram return these codes if they get no answer themselves. */
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
  const { fail, judgeLost, retryLater } = rulesOf(deps, open, failed)
  if (isLost(error)) return judgeLost()
  if (error instanceof BotApiRefusal) return judgeRefusal(deps, open, error, failed)
  if (error instanceof NoAnswer && error.cause instanceof FileMissing)
    return fail({ code: null, words: 'file_missing' })
  if (error instanceof NoAnswer) return retryLater({ code: null, words: 'unreachable' })
  throw error
}
