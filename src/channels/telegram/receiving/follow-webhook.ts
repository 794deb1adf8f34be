import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../../../core/config/config.ts'
import type { Vault } from '../../../core/crypto.ts'
import { BotApiRefusal } from '../bot-api/errors.ts'
import { deriveWebhookKeys, webhookUrlOf } from '../bots/secrets.ts'
import { updateBotOk } from './lease-queries.ts'
import type { ReceivingDeps } from './poll.ts'
import { allowedUpdates } from './update-chat.ts'

/** Sets a bot's webhook and monitors whether Telegram can deliver to it. */

export interface FollowWebhookDeps extends ReceivingDeps {
  config: Pick<Config, 'publicUrl'>
  vault: Vault
  /** Milliseconds between checks. */
  checkMs?: number
}

const usualCheckMs = 30_000

/** Seconds for which a failed delivery counts as a problem. */
const recentSeconds = 120

/** Telegram cannot deliver updates to this installation. */
export class WebhookProblem extends Error {
  readonly code: 'webhook_failed' | 'webhook_refused'
  readonly url: string

  /** Keeps only the origin of the URL: its path is secret, and problems are shown, stored and logged. */
  constructor(code: WebhookProblem['code'], url: string, reason: string) {
    const { origin } = new URL(url)
    super(reason.replaceAll(url, origin))
    this.code = code
    this.url = origin
  }
}

async function setWebhook(
  { api, stopping }: FollowWebhookDeps,
  url: string,
  secret_token: string,
): Promise<void> {
  try {
    await api.call(
      'setWebhook',
      { url, secret_token, allowed_updates: allowedUpdates, max_connections: 40 },
      { signal: stopping },
    )
  } catch (error) {
    if (error instanceof BotApiRefusal && error.code === 400)
      throw new WebhookProblem('webhook_refused', url, error.message)
    throw error
  }
}

/** Returns false if the webhook has a different URL because another program has set its own. */
async function check({ api, stopping }: FollowWebhookDeps, url: string): Promise<boolean> {
  const info = await api.call('getWebhookInfo', undefined, { signal: stopping })
  if (info.url !== url) return false
  const failedAgo = Date.now() / 1_000 - (info.last_error_date ?? 0)
  if (info.pending_update_count > 0 && failedAgo < recentSeconds)
    throw new WebhookProblem('webhook_failed', url, info.last_error_message ?? '')
  return true
}

/** Runs until stopped. Rejects when a call fails or Telegram cannot deliver. */
export async function followWebhook(deps: FollowWebhookDeps): Promise<void> {
  const { db, bot, config, vault, stopping, checkMs = usualCheckMs } = deps
  const keys = deriveWebhookKeys(vault, bot.project_id, bot.id)
  const url = webhookUrlOf(config.publicUrl, bot.project_id, bot.id, keys)
  let isSet = false
  while (!stopping.aborted) {
    if (!isSet) await setWebhook(deps, url, keys.secret)
    isSet = await check(deps, url)
    if (isSet) await updateBotOk(db, bot)
    await pause(checkMs, null, { signal: stopping }).catch(() => {})
  }
}
