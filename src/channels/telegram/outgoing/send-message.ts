import { transact } from '../../../events/transaction.ts'
import { type ClaimedMessage, phaseOfCall, updatePhase } from '../../../outgoing/outgoing.ts'
import { findConnectedBot } from '../bots/queries.ts'
import { openToken } from '../bots/secrets.ts'
import { buildParts } from './build-parts.ts'
import { callPart, type PartTarget } from './call-part.ts'
import { hasNoAnswer, judgeFailure, rulesOf } from './judge-failure.ts'
import type { OpenSend, SendingDeps } from './open-send.ts'
import { lockBotRate } from './rate-queries.ts'
import { cancelSend, postponeSend, recordSent } from './record.ts'
import { recordSendFailed } from './record-failure.ts'
import { sendChange } from './send-change.ts'
import { findSend, listSentFiles, listSentParts } from './send-queries.ts'

/** Sends one part of a message that this process has claimed, or a change to it, and records the result. */

async function findReplyTo({ db }: SendingDeps, { send, claimed }: OpenSend): Promise<number | null> {
  if (send.reply_to_id === null) return null
  const [first] = await listSentParts(db, claimed.project_id, send.chat_id, send.reply_to_id)
  return first?.telegram_id ?? null
}

/**
 * Commits that the call is about to be made. Only a message in this phase can be in Telegram without an answer. Returns the milliseconds
 * to wait if the bot has reached its rate limit; null if another process holds the message.
 */
const beginCall = ({ db }: SendingDeps, { claimed, send }: OpenSend): Promise<number | null> =>
  transact(db, claimed.project_id, async tx => {
    const waitMs = await lockBotRate(tx, tx.projectId, send.bot_id)
    if (waitMs > 0) return waitMs
    return (await updatePhase(tx, claimed, phaseOfCall(claimed))) ? 0 : null
  })

/** Milliseconds that a call may still take when the process stops. If it were aborted, its answer would be lost and the part sent twice. */
const stopGraceMs = 15_000

function signalFor(stopping: AbortSignal): AbortSignal {
  const late = new AbortController()
  const end = () => void setTimeout(() => late.abort(), stopGraceMs).unref()
  if (stopping.aborted) end()
  else stopping.addEventListener('abort', end, { once: true })
  return late.signal
}

async function sendPart(deps: SendingDeps, open: OpenSend, nextPart: number): Promise<void> {
  const { db, apis, vault } = deps
  const { claimed, send, bot, stopping } = open
  const files = await listSentFiles(db, claimed.project_id, send.id)
  const parts = buildParts(deps, send, [...files])
  const part = parts[nextPart]
  if (parts.length === 0 && nextPart === 0)
    return recordSendFailed(deps, claimed, send, { code: null, words: 'empty' })
  if (!part) return recordSent(db, claimed, send, { messages: [], part: nextPart, isLast: true, mark: null })
  const waitMs = await beginCall(deps, open)
  if (waitMs === null) return
  if (waitMs > 0) return postponeSend(db, claimed, { waitMs, phase: claimed.phase })
  const isLast = nextPart === parts.length - 1
  const target: PartTarget = {
    ...{ api: apis.connect({ token: openToken(vault, bot), apiRoot: bot.api_root }), send },
    ...{
      replyTo: await findReplyTo(deps, open),
      isFirst: nextPart === 0,
      isLast,
      signal: signalFor(stopping),
    },
  }
  try {
    const messages = await callPart(deps, target, part)
    const mark = claimed.phase === 'uncertain' ? 'maybe_sent_twice' : null
    await recordSent(db, claimed, send, { messages, part: nextPart, isLast, mark })
  } catch (error) {
    await judgeFailure(deps, open, error, { part: nextPart, isLast })
  }
}

async function isAnswering({ apis, vault }: SendingDeps, { bot, stopping }: OpenSend): Promise<boolean> {
  const api = apis.connect({ token: openToken(vault, bot), apiRoot: bot.api_root })
  try {
    await api.call('getMe', undefined, { signal: stopping })
  } catch (error) {
    return !hasNoAnswer(error)
  }
  return true
}

/** Continues from the phase in which an earlier attempt ended. Returns whether to send the part now. */
async function isReady(deps: SendingDeps, open: OpenSend, part: number): Promise<boolean> {
  const { claimed, send } = open
  if (claimed.phase === 'waiting') return true
  const files = await listSentFiles(deps.db, claimed.project_id, send.id)
  const isLast = part >= buildParts(deps, send, [...files]).length - 1
  return rulesOf(deps, open, { part, isLast }).begin(() => isAnswering(deps, open))
}

export async function sendTelegram(
  deps: SendingDeps,
  claimed: ClaimedMessage,
  stopping: AbortSignal,
): Promise<void> {
  const send = await findSend(deps.db, claimed.project_id, claimed.message_id)
  if (!send) return cancelSend(deps.db, claimed, 'bot_removed')
  const bot = await findConnectedBot(deps.db, claimed.project_id, send.bot_id)
  if (!bot) return cancelSend(deps.db, claimed, 'bot_removed')
  const open: OpenSend = { claimed, send, bot, stopping }
  const isUnsent = send.next_part !== null && send.delivery_status === 'pending'
  if (isUnsent && send.is_deleted) return cancelSend(deps.db, claimed, 'deleted')
  if (!isUnsent) return sendChange(deps, open)
  // A reply is attempted anyway, because Deskbell may not know that the bot was unblocked.
  if (send.is_blocked && send.is_automatic) return cancelSend(deps.db, claimed, 'blocked')
  const nextPart = send.next_part ?? 0
  if (await isReady(deps, open, nextPart)) await sendPart(deps, open, nextPart)
}
