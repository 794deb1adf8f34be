import type { Update } from '@grammyjs/types'
import type { Vault } from '../../../core/crypto.ts'
import type { Db } from '../../../core/db/db.ts'
import type { Log } from '../../../core/telemetry/log.ts'
import { transact } from '../../../events/transaction.ts'
import type { Storages } from '../../../media/media.ts'
import type { BotApis } from '../bot-api/bot-apis.ts'
import type { BotApi } from '../bot-api/client.ts'
import type { ConnectedBot } from '../bots/bot.ts'
import { findConnectedBot } from '../bots/queries.ts'
import { openToken } from '../bots/secrets.ts'
import { wordsOf } from '../choose-text.ts'
import { createPacedApi } from '../outgoing/paced-api.ts'
import { countReceived, noteHandled } from '../telegram-metrics.ts'
import {
  type ClaimedChat,
  listStoredUpdates,
  lockClaimedChat,
  type StoredUpdate,
  updateChatReleased,
  updateUpdatesDone,
  updateUpdatesFailed,
} from './chat-queries.ts'
import { isServiceMessage } from './describe-message.ts'
import { type DownloadedFiles, downloadFiles } from './download-files.ts'
import { processUpdate } from './handle-update.ts'
import { listTelegramFiles } from './message-files.ts'
import { type Answer, findTelegramFacts, type TelegramFacts, type UpdateGroup } from './update-context.ts'

/** Handles a chat's stored updates in order. Each update and its effects are committed in one transaction. */

export interface HandlingDeps {
  db: Db
  vault: Vault
  log: Log
  storages: Storages
  apis: BotApis
  /** Answers that are being sent. */
  answering: Set<Promise<unknown>>
}

/** Milliseconds until an album counts as complete: after its latest part, and at most after its first part. */
const albumQuietMs = 1_500
const albumMaxMs = 5_000

const batchSize = 20
const maxAttempts = 5
const firstPauseMs = 1_000

/** Updates that are handled together, and how long they must wait first. */
interface Step {
  updates: [StoredUpdate, ...StoredUpdate[]]
  waitMs: number
}

const albumOf = ({ content }: StoredUpdate): string | undefined => content.message?.media_group_id

/** The parts of an album arrive as separate updates, one after another. */
function takeStep([first, ...others]: StoredUpdate[]): Step | null {
  if (!first) return null
  const album = albumOf(first)
  if (album === undefined) return { updates: [first], waitMs: 0 }
  const end = others.findIndex(one => albumOf(one) !== album)
  const parts = end < 0 ? others : others.slice(0, end)
  const quietMs = Math.min(first.age, ...parts.map(({ age }) => age))
  const waitMs = Math.max(0, Math.min(albumQuietMs - quietMs, albumMaxMs - first.age))
  return { updates: [first, ...parts], waitMs }
}

/** Another process has since claimed the chat. */
class LeaseLost extends Error {}

interface OpenChat {
  claimed: ClaimedChat
  bot: ConnectedBot
  api: BotApi
  facts: TelegramFacts
  stopping: AbortSignal
}

const groupOf = ({ updates: [first, ...others] }: Step): UpdateGroup => [
  first.content,
  ...others.map(({ content }) => content),
]

const filesOf = ({ message }: Update) =>
  message && !isServiceMessage(message) ? listTelegramFiles(message) : []

/** Downloads files before the transaction begins, but none from groups that the bot does not read. */
async function prepareFiles(deps: HandlingDeps, chat: OpenChat, step: Step): Promise<DownloadedFiles> {
  const { bot, api, claimed, facts, stopping } = chat
  const updates = groupOf(step)
  const isRead = (updates[0].message?.chat.id ?? 0) > 0 || bot.takes_groups
  const files = isRead ? updates.flatMap(filesOf) : []
  const { file_on_server } = wordsOf([facts.language])
  const place = { projectId: claimed.project_id, hasOwnServer: bot.api_root !== '' }
  const source = { ...place, api, onServerText: file_on_server, stopping }
  return downloadFiles(deps, source, files, step.updates[0].attempts + 1 >= maxAttempts)
}

async function runStep(deps: HandlingDeps, chat: OpenChat, step: Step): Promise<Answer[]> {
  const { claimed, bot, facts } = chat
  const ids = step.updates.map(({ update_id }) => update_id)
  const files = await prepareFiles(deps, chat, step)
  return transact(deps.db, claimed.project_id, async tx => {
    const row = await lockClaimedChat(tx, claimed)
    if (!row) throw new LeaseLost()
    const context = { tx, vault: deps.vault, bot, chat: row, facts }
    const { outcome, answers = [] } = await processUpdate(context, groupOf(step), files)
    if (!(await updateUpdatesDone(tx, claimed, ids, outcome))) throw new LeaseLost()
    return answers
  })
}

function sendAnswers(
  { db, log, answering }: HandlingDeps,
  { api, bot, claimed }: OpenChat,
  answers: Answer[],
): void {
  const paced = createPacedApi(db, { project_id: claimed.project_id, account_id: claimed.id }, api)
  for (const answer of answers) {
    const sending: Promise<unknown> = answer(paced)
      .catch((error: unknown) =>
        log.info({ err: error, bot: bot.username }, 'Could not send an answer in Telegram'),
      )
      .finally(() => answering.delete(sending))
    answering.add(sending)
  }
}

/** Returns the pause before the next attempt, in milliseconds; 0 if there are no attempts left. */
async function noteFailure(
  deps: HandlingDeps,
  { claimed }: OpenChat,
  step: Step,
  error: unknown,
): Promise<number> {
  const [{ attempts }] = step.updates
  const isFinal = attempts + 1 >= maxAttempts
  const reason = String(error instanceof Error ? error.message : error).replaceAll('\0', '')
  const ids = step.updates.map(({ update_id }) => update_id)
  const facts = { err: error, updates: ids, attempt: attempts + 1 }
  if (isFinal)
    deps.log.error(facts, 'Could not handle an update from Telegram; it is kept and can be retried')
  else deps.log.warn(facts, 'Could not handle an update from Telegram; will retry')
  await updateUpdatesFailed(deps.db, claimed, ids, { error: reason.slice(0, 500), isFinal })
  countReceived(isFinal ? 'failed' : 'retried', ids.length)
  return isFinal ? 0 : firstPauseMs * 4 ** attempts
}

/** Returns how long the chat must wait, in milliseconds; null if no updates are left or the process is stopping. */
async function processAll(deps: HandlingDeps, chat: OpenChat): Promise<number | null> {
  while (!chat.stopping.aborted) {
    const step = takeStep(await listStoredUpdates(deps.db, chat.claimed, batchSize))
    if (!step) return null
    if (step.waitMs > 0) return step.waitMs
    try {
      sendAnswers(deps, chat, await runStep(deps, chat, step))
      countReceived('handled', step.updates.length)
      noteHandled(step.updates[0].stored_at)
    } catch (error) {
      if (error instanceof LeaseLost || chat.stopping.aborted) return null
      const waitMs = await noteFailure(deps, chat, step, error)
      if (waitMs > 0) return waitMs
    }
  }
  return null
}

/** Returns the milliseconds until the chat is due again; null if it is not. */
export async function processChat(
  deps: HandlingDeps,
  claimed: ClaimedChat,
  stopping: AbortSignal,
): Promise<number | null> {
  const { db, vault, apis } = deps
  const bot = await findConnectedBot(db, claimed.project_id, claimed.bot_id)
  const facts = await findTelegramFacts(db, claimed.project_id)
  if (!bot || !facts) return null
  const api = apis.connect({ token: openToken(vault, bot), apiRoot: bot.api_root })
  const waitMs = await processAll(deps, { claimed, bot, api, facts, stopping })
  const isDue = await updateChatReleased(db, claimed, waitMs)
  return isDue ? 0 : waitMs
}
