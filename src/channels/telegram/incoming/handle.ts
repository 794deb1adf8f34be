import { setTimeout as pause } from 'node:timers/promises'
import { createRhythm } from '../../../core/async/rhythm.ts'
import { type DueSubject, listDue, noteMissing, postpone } from '../../../core/due/due-work.ts'
import { newId } from '../../../core/ids.ts'
import { notifyBotUpdates, onBotUpdates } from '../../../events/notifier.ts'
import {
  type ClaimedChat,
  lockDueChats,
  nextUpdateDue,
  updateChatLease,
  waitingUpdates,
} from './chat-queries.ts'
import { type HandlingDeps, processChat } from './handle-chat.ts'

/** Handles stored updates until stopped. Any number of processes can run this. */

/** Milliseconds. Leases are renewed, so only the chats of a crashed process are claimed again. */
const leaseMs = 30_000
const tickMs = 1_000
const checkEveryMs = 60_000

/** The maximum number of chats that a process handles concurrently, in total and per project. */
const maxAtOnce = 16
const maxPerProject = 8

interface BotKey {
  project_id: string
  id: string
}

const keyText = ({ project_id, id }: BotKey): string => `${project_id} ${id}`

function createHandling(deps: HandlingDeps, onEnd: () => void, stopping: AbortSignal) {
  const { db, log } = deps
  const leaseId = newId()
  const running = new Map<Promise<void>, BotKey>()
  const timers = new Set<NodeJS.Timeout>()

  /** Wakes the bot when the chat is due, which may be before the next regular check. */
  function wakeLater(chat: ClaimedChat, waitMs: number): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      notifyBotUpdates(chat.project_id, chat.bot_id)
    }, waitMs + 5)
    timers.add(timer)
  }

  async function run(chat: ClaimedChat): Promise<void> {
    const renewing = setInterval(() => {
      updateChatLease(db, chat, leaseMs).catch(error => log.warn({ err: error }, 'Could not renew a lease'))
    }, leaseMs / 3)
    try {
      const waitMs = await processChat(deps, chat, stopping)
      if (waitMs !== null && !stopping.aborted) wakeLater(chat, waitMs)
    } catch (error) {
      log.error({ err: error }, 'Could not handle the updates of a chat; will retry')
    } finally {
      clearInterval(renewing)
    }
  }

  const countOf = ({ project_id }: BotKey): number =>
    [...running.values()].filter(one => one.project_id === project_id).length

  const countOfBot = (bot: BotKey): number =>
    [...running.values()].filter(one => keyText(one) === keyText(bot)).length

  /** The bot with the fewest running chats in the project with the fewest; null if no bot can start another chat. */
  function findNext(bots: Iterable<BotKey>): BotKey | null {
    if (running.size >= maxAtOnce) return null
    const free = [...bots].filter(bot => countOf(bot) < maxPerProject)
    const order = (one: BotKey, other: BotKey) =>
      countOf(one) - countOf(other) || countOfBot(one) - countOfBot(other)
    return free.sort(order)[0] ?? null
  }

  /** Returns whether the bot may have more due chats. */
  async function claim(bot: BotKey): Promise<boolean> {
    const limit = Math.min(maxAtOnce - running.size, maxPerProject - countOf(bot))
    const chats = await lockDueChats(db, bot, { leaseId, leaseMs, limit })
    for (const chat of chats) {
      const work = run(chat).finally(() => {
        running.delete(work)
        onEnd()
      })
      running.set(work, bot)
    }
    return chats.length === limit
  }

  const clear = () => {
    for (const timer of timers) clearTimeout(timer)
  }
  return { running, findNext, claim, clear }
}

const botOf = ({ project_id, subject_id }: DueSubject): BotKey => ({ project_id, id: subject_id })

/** Bots that may have due chats, and those that have none left. */
function createBotQueue({ db }: HandlingDeps, { findNext, claim }: ReturnType<typeof createHandling>) {
  const bots = new Map<string, BotKey>()
  const ended = new Map<string, BotKey>()
  const isTimeToCheck = createRhythm(checkEveryMs)
  const add = (bot: BotKey): void => void bots.set(keyText(bot), bot)

  async function claimAll(stopping: AbortSignal): Promise<void> {
    for (let bot = findNext(bots.values()); bot && !stopping.aborted; bot = findNext(bots.values())) {
      bots.delete(keyText(bot))
      if (await claim(bot)) add(bot)
      else ended.set(keyText(bot), bot)
    }
  }

  /** Postpones bots without due chats and looks for others, once a second no matter how many updates arrive. */
  async function look(): Promise<void> {
    if (isTimeToCheck())
      await noteMissing(
        db,
        db`select 'telegram_updates'::text as kind, project_id, subject_id, due_at from (${waitingUpdates(db)}) w`,
      )
    const done = [...ended.values()].map(({ project_id, id }) => ({ project_id, subject_id: id }))
    ended.clear()
    await postpone(db, 'telegram_updates', done, nextUpdateDue)
    for (const due of await listDue(db, ['telegram_updates'], 0, 1_000)) add(botOf(due))
  }

  return { bots, add, claimAll, look }
}

export function startHandlingUpdates(given: Omit<HandlingDeps, 'answering'>): { stop(): Promise<void> } {
  const deps: HandlingDeps = { ...given, answering: new Set() }
  const stopping = new AbortController()
  let resting = new AbortController()
  const wake = (bot: BotKey): void => {
    queue.add(bot)
    resting.abort()
  }
  const onEnd = (): void => {
    if (queue.bots.size > 0) resting.abort()
  }
  const handling = createHandling(deps, onEnd, stopping.signal)
  const queue = createBotQueue(deps, handling)
  // Timers can fire slightly early.
  const isTimeToLook = createRhythm(0.9 * tickMs)

  async function take(): Promise<void> {
    if (isTimeToLook()) await queue.look()
    await queue.claimAll(stopping.signal)
  }

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      resting = new AbortController()
      await take().catch(error =>
        deps.log.error({ err: error }, 'Could not look for stored updates of bots; will retry'),
      )
      const signal = AbortSignal.any([stopping.signal, resting.signal])
      await pause(tickMs, null, { signal }).catch(() => {})
    }
  }

  const unlisten = onBotUpdates((project_id, id) => wake({ project_id, id }))
  const following = follow()
  return {
    async stop() {
      unlisten()
      stopping.abort()
      await following
      await Promise.all(handling.running.keys())
      handling.clear()
      await Promise.all(deps.answering)
    },
  }
}
