import { transact } from '../../../events/transaction.ts'
import { type ClaimedMessage, updatePhase } from '../../../outgoing/outgoing.ts'
import { findConnectedBot } from '../bots/queries.ts'
import { openToken } from '../bots/secrets.ts'
import { buildParts } from './build-parts.ts'
import { callPart, type PartTarget } from './call-part.ts'
import { hasNoAnswer, judgeFailure } from './judge-failure.ts'
import { type OpenSend, type SendingDeps, usualUncertainMs } from './open-send.ts'
import { lockBotRate } from './rate-queries.ts'
import { cancelSend, postponeSend, recordSent } from './record.ts'
import { sendChange } from './send-change.ts'
import { findSend, listSentFiles, listSentParts } from './send-queries.ts'

/** Sends one part of a message that this process has claimed, or a change of it, and records the result. */

async function findReplyTo({ db }: SendingDeps, { send, claimed }: OpenSend): Promise<number | null> {
  if (send.reply_to_id === null) return null
  const [first] = await listSentParts(db, claimed.project_id, send.chat_id, send.reply_to_id)
  return first?.telegram_id ?? null
}

/**
 * Commits that the call is about to be made. Only a message in this phase may be in Telegram although there was no answer. Returns
 * the milliseconds to wait if the bot has sent too much; null if another process holds the message.
 */
const beginCall = ({ db }: SendingDeps, { claimed, send }: OpenSend): Promise<number | null> =>
  transact(db, claimed.project_id, async tx => {
    const waitMs = await lockBotRate(tx, tx.projectId, send.bot_id)
    if (waitMs > 0) return waitMs
    const phase = claimed.phase === 'uncertain' ? 'repeated' : 'ending'
    return (await updatePhase(tx, claimed, phase)) ? 0 : null
  })

/** Milliseconds that a call may still take when the process stops. Its answer would be lost, and the part sent twice. */
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

/** An uncertain part is repeated only once, so it waits until the server answers again. Returns false if it does not. */
async function isAnswering(deps: SendingDeps, { claimed, bot, stopping }: OpenSend): Promise<boolean> {
  const { db, apis, vault, uncertainMs = usualUncertainMs } = deps
  const api = apis.connect({ token: openToken(vault, bot), apiRoot: bot.api_root })
  try {
    await api.call('getMe', undefined, { signal: stopping })
  } catch (error) {
    if (!hasNoAnswer(error)) return true
    await postponeSend(db, claimed, { waitMs: uncertainMs, phase: 'uncertain' })
    return false
  }
  return true
}

/** What an earlier attempt has left. Returns whether the part is to be sent now. */
async function isReady(deps: SendingDeps, open: OpenSend, nextPart: number): Promise<boolean> {
  const { claimed, send } = open
  const { db, uncertainMs = usualUncertainMs } = deps
  if (claimed.phase === 'ending') {
    await postponeSend(db, claimed, { waitMs: uncertainMs, phase: 'uncertain' })
    return false
  }
  if (claimed.phase === 'uncertain') return isAnswering(deps, open)
  if (claimed.phase !== 'repeated') return true
  // The process ended during the second attempt: nobody knows whether the part has arrived.
  const files = await listSentFiles(db, claimed.project_id, send.id)
  const isLast = nextPart >= buildParts(deps, send, [...files]).length - 1
  await recordSent(db, claimed, send, { messages: [], part: nextPart, isLast, mark: 'outcome_unknown' })
  return false
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
  const nextPart = send.next_part ?? 0
  if (await isReady(deps, open, nextPart)) await sendPart(deps, open, nextPart)
}
