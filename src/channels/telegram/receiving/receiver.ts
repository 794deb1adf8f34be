import { setTimeout as pause } from 'node:timers/promises'
import { createRhythm } from '../../../core/async/rhythm.ts'
import type { Config } from '../../../core/config/config.ts'
import type { Vault } from '../../../core/crypto.ts'
import type { Db } from '../../../core/db/db.ts'
import { type DueSubject, listDue, noteDueRows, noteMissing, postpone } from '../../../core/due/due-work.ts'
import { newId } from '../../../core/ids.ts'
import type { Log } from '../../../core/telemetry/log.ts'
import type { BotApis } from '../bot-api/bot-apis.ts'
import type { BotApi } from '../bot-api/client.ts'
import type { ConnectedBot } from '../bots/bot.ts'
import { type BotFault, describeBotFault } from '../bots/bot-fault.ts'
import { receivingModeOf } from '../bots/receiving-mode.ts'
import { openToken } from '../bots/secrets.ts'
import { findTelegramFacts } from '../incoming/update-context.ts'
import { followWebhook, WebhookProblem } from './follow-webhook.ts'
import {
  listLeasedBots,
  lockDueBots,
  nextBotDue,
  updateBotFailed,
  updateBotLeaseEnded,
  updateBotLeases,
  waitingBots,
} from './lease-queries.ts'
import { pollUpdates } from './poll.ts'
import { setCommands } from './set-commands.ts'

/** Distributes bots among processes: the process that holds a bot's lease receives its updates. */

export interface ReceiverDeps {
  config: Pick<Config, 'publicUrl'>
  db: Db
  vault: Vault
  log: Log
  apis: BotApis
  /** Shorter times for tests, in milliseconds. */
  tickMs?: number
  checkMs?: number
}

/** Milliseconds. */
const usualTickMs = 1_000
const renewEveryMs = 8_000
const checkEveryMs = 60_000
const minPauseMs = 2_000
const maxPauseMs = 5 * 60_000

/** The maximum number of bots that one query claims. */
const maxClaimed = 50

interface HeldBot {
  bot: ConnectedBot
  stop: AbortController
  ended: Promise<void>
}

function describe(error: unknown, { api_root }: ConnectedBot): BotFault {
  if (!(error instanceof WebhookProblem)) return describeBotFault(error, api_root)
  return { code: error.code, values: { url: error.url, reason: error.message }, isFinal: false }
}

const pauseFor = ({ waitMs }: BotFault, failures: number): number =>
  Math.max(waitMs ?? 0, Math.min(minPauseMs * 2 ** Math.min(failures, 10), maxPauseMs))

/** Without a setting, a bot whose webhook does not work fetches its updates. */
function isPolling(bot: ConnectedBot, publicUrl: string): boolean {
  const isWithoutWebhook = bot.receiving === 'auto' && bot.last_error?.code.startsWith('webhook_') === true
  return isWithoutWebhook || receivingModeOf(bot, publicUrl) === 'polling'
}

/** Once for a new bot. Without the menu, the commands work too. */
async function describeCommands(
  { db, log }: ReceiverDeps,
  api: BotApi,
  bot: ConnectedBot,
  stopping: AbortSignal,
): Promise<void> {
  try {
    const facts = await findTelegramFacts(db, bot.project_id)
    await setCommands(api, facts?.language ?? 'en', stopping)
  } catch (error) {
    log.info({ err: error, bot: bot.username }, 'Could not set the commands of a bot')
  }
}

function createBotSessions(deps: ReceiverDeps, leaseId: string) {
  const { db, log, vault, apis, config } = deps
  const held = new Map<string, HeldBot>()

  async function receive(bot: ConnectedBot, stopping: AbortSignal): Promise<void> {
    const api = apis.connect({ token: openToken(vault, bot), apiRoot: bot.api_root })
    if (bot.last_ok_at === null) void describeCommands(deps, api, bot, stopping)
    const session = { ...deps, api, bot, stopping }
    await (isPolling(bot, config.publicUrl) ? pollUpdates(session) : followWebhook(session))
  }

  /** Releases the lease, so that another process, or this one with the new settings, can continue immediately. */
  const release = (bot: ConnectedBot, fault: BotFault | null) =>
    db.begin(async sql => {
      if (fault)
        await updateBotFailed(sql, bot, {
          version: bot.version,
          fault: { code: fault.code, values: fault.values },
          waitMs: pauseFor(fault, bot.failures),
          isBroken: fault.isFinal,
        })
      await updateBotLeaseEnded(sql, leaseId, bot)
      await noteDueRows(
        sql,
        'telegram_bots',
        sql`select ${bot.project_id}::uuid as project_id, ${bot.id}::uuid as subject_id, now() as due_at`,
      )
    })

  async function run(bot: ConnectedBot, stopping: AbortSignal): Promise<void> {
    let fault: BotFault | null = null
    try {
      await receive(bot, stopping)
    } catch (error) {
      fault = stopping.aborted ? null : describe(error, bot)
      if (fault) log.warn({ err: error, bot: bot.username, code: fault.code }, 'Could not receive from a bot')
    }
    // If this fails, the lease expires.
    await release(bot, fault).catch(error => log.warn({ err: error }, 'Could not release a bot'))
  }

  function start(bot: ConnectedBot): void {
    const stop = new AbortController()
    const ended = run(bot, stop.signal).finally(() => held.delete(bot.id))
    held.set(bot.id, { bot, stop, ended })
  }

  /** Ends the sessions of bots that were changed, paused or deleted, or whose lease another process now holds. */
  async function check(isRenewal: boolean): Promise<void> {
    if (held.size === 0) return
    const bots = [...held.values()].map(({ bot }) => bot)
    const rows = await (isRenewal ? updateBotLeases : listLeasedBots)(db, leaseId, bots)
    const versions = new Map(rows.map(({ id, version }) => [id, version]))
    for (const { bot, stop } of held.values())
      if (bots.includes(bot) && versions.get(bot.id) !== bot.version) stop.abort()
  }

  return { held, start, check }
}

const keyOf = ({ project_id, subject_id }: DueSubject) => ({ project_id, id: subject_id })

/** Receives the updates of bots until stopped. */
export function startReceiving(deps: ReceiverDeps): { stop(): Promise<void> } {
  const { db, log, tickMs = usualTickMs } = deps
  const leaseId = newId()
  const stopping = new AbortController()
  const { held, start, check } = createBotSessions(deps, leaseId)
  const isTimeToRenew = createRhythm(renewEveryMs)
  const isTimeToCheck = createRhythm(checkEveryMs)

  async function claim(): Promise<void> {
    const due = await listDue(db, ['telegram_bots'], 0, maxClaimed)
    if (due.length === 0) return
    const claimed = await lockDueBots(db, leaseId, due.map(keyOf))
    for (const bot of claimed) if (!held.has(bot.id)) start(bot)
    await postpone(db, 'telegram_bots', due, nextBotDue)
  }

  async function tick(): Promise<void> {
    if (isTimeToCheck())
      await noteMissing(
        db,
        db`select 'telegram_bots'::text as kind, project_id, subject_id, due_at from (${waitingBots(db)}) w`,
      )
    await check(isTimeToRenew())
    await claim()
  }

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      await tick().catch(error => log.error({ err: error }, 'Could not look for due bots; will retry'))
      await pause(tickMs, null, { signal: stopping.signal }).catch(() => {})
    }
  }

  const following = follow()
  return {
    async stop() {
      stopping.abort()
      await following
      const sessions = [...held.values()]
      for (const { stop } of sessions) stop.abort()
      await Promise.all(sessions.map(({ ended }) => ended))
    },
  }
}
