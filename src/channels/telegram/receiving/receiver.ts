import type { Config } from '../../../core/config/config.ts'
import type { Vault } from '../../../core/crypto.ts'
import type { Db } from '../../../core/db/db.ts'
import type { Log } from '../../../core/telemetry/log.ts'
import { startReceivingAccounts } from '../../accounts/receiving.ts'
import type { BotApis } from '../bot-api/bot-apis.ts'
import type { BotApi } from '../bot-api/client.ts'
import type { ConnectedBot } from '../bots/bot.ts'
import { type BotFault, describeBotFault } from '../bots/bot-fault.ts'
import { receivingModeOf } from '../bots/receiving-mode.ts'
import { openToken } from '../bots/secrets.ts'
import { findTelegramFacts } from '../incoming/update-context.ts'
import { followWebhook, WebhookProblem } from './follow-webhook.ts'
import { botTable } from './lease-queries.ts'
import { pollUpdates } from './poll.ts'
import { setCommands } from './set-commands.ts'
import { createStoringSlots } from './storing-slots.ts'

/** Receives the updates of bots. */

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
const minPauseMs = 2_000
const maxPauseMs = 5 * 60_000

function describe(error: unknown, { api_root }: ConnectedBot): BotFault {
  if (!(error instanceof WebhookProblem)) return describeBotFault(error, api_root)
  return { code: error.code, values: { url: error.url, reason: error.message }, isFinal: false }
}

const pauseFor = ({ waitMs }: BotFault, failures: number): number =>
  Math.max(waitMs ?? 0, Math.min(minPauseMs * 2 ** Math.min(failures, 10), maxPauseMs))

/** Unless a mode is set, a bot whose webhook does not work polls. */
function isPolling(bot: ConnectedBot, publicUrl: string): boolean {
  const isWithoutWebhook = bot.receiving === 'auto' && bot.last_error?.code.startsWith('webhook_') === true
  return isWithoutWebhook || receivingModeOf(bot, publicUrl) === 'polling'
}

/** Runs once for a new bot. The commands also work without the menu. */
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

/** Receives the updates of bots until stopped. */
export function startReceiving(deps: ReceiverDeps): { stop(): Promise<void> } {
  const { vault, apis, config } = deps
  const slots = createStoringSlots()

  async function receive(bot: ConnectedBot, stopping: AbortSignal): Promise<void> {
    const api = apis.connect({ token: openToken(vault, bot), apiRoot: bot.api_root })
    if (bot.last_ok_at === null) void describeCommands(deps, api, bot, stopping)
    const session = { ...deps, slots, api, bot, stopping }
    await (isPolling(bot, config.publicUrl) ? pollUpdates(session) : followWebhook(session))
  }

  return startReceivingAccounts<ConnectedBot>(deps, {
    table: botTable,
    receive,
    describeFailure(error, bot) {
      const fault = describe(error, bot)
      const { code, values, isFinal } = fault
      return { fault: { code, values }, waitMs: pauseFor(fault, bot.failures), isBroken: isFinal }
    },
    logFailure: (error, { username }, { fault }) =>
      deps.log.warn({ err: error, bot: username, code: fault.code }, 'Could not receive updates'),
  })
}
