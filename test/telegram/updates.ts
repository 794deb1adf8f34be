import type { Update } from '@grammyjs/types'
import { badRequest, limits, type Refusal, refusals } from './refusals.ts'
import { type Bot, type Call, unixTime, type World } from './world.ts'

/** How a bot gets its updates: through getUpdates or a webhook. */

const numberIn = (value: unknown, usual: number, max: number): number =>
  typeof value === 'number' && value > 0 ? Math.min(value, max) : usual

/** "An update is considered confirmed as soon as getUpdates is called with an offset higher than its update_id." */
function confirm(bot: Bot, offset: unknown): void {
  if (typeof offset !== 'number' || offset === 0) return
  // "The negative offset can be specified to retrieve updates starting from -offset update from the end of the updates queue."
  if (offset < 0) bot.updates.splice(0, Math.max(0, bot.updates.length + offset))
  else bot.updates = bot.updates.filter(({ update_id }) => update_id >= offset)
}

/** Waits up to `seconds` for an update. Another call ends this one with 409. */
function waitForUpdate(bot: Bot, seconds: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => end(null), seconds * 1_000)
  const end = (refusal: Refusal | null): void => {
    clearTimeout(timer)
    bot.poller = null
    refusal ? reject(refusal) : resolve()
  }
  bot.poller = { end }
  return promise
}

export async function getUpdates(_world: World, bot: Bot, params: Call['params']): Promise<Update[]> {
  if (bot.webhook) throw refusals.webhookActive()
  bot.poller?.end(refusals.otherPoller())
  if (Array.isArray(params.allowed_updates)) bot.allowed = params.allowed_updates
  confirm(bot, params.offset)
  const seconds = numberIn(params.timeout, 0, 50)
  if (bot.updates.length === 0 && seconds > 0) await waitForUpdate(bot, seconds)
  return bot.updates.slice(0, numberIn(params.limit, limits.updates.max, limits.updates.max))
}

function checkWebhook(world: World, url: string, secret: unknown): void {
  const target = URL.parse(url)
  if (!target) throw badRequest('bad webhook: invalid URL')
  // "Ports currently supported for webhooks: 443, 80, 88, 8443."
  if (!world.isLocal && target.protocol !== 'https:')
    throw badRequest('bad webhook: An HTTPS URL must be provided for webhook')
  if (!world.isLocal && !['', '80', '88', '443', '8443'].includes(target.port))
    throw badRequest('bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443')
  if (secret !== undefined && !/^[\w-]{1,256}$/.test(String(secret)))
    throw badRequest('secret token contains unallowed characters')
}

export function setWebhook(world: World, bot: Bot, params: Call['params']): true {
  const { url = '', secret_token, max_connections, allowed_updates, drop_pending_updates } = params
  if (url === '') return deleteWebhook(world, bot, params)
  checkWebhook(world, url, secret_token)
  if (Array.isArray(allowed_updates)) bot.allowed = allowed_updates
  if (drop_pending_updates) bot.updates = []
  bot.poller?.end(refusals.otherPoller())
  bot.webhook = {
    url,
    secret: secret_token ?? null,
    maxConnections: numberIn(max_connections, 40, 100),
    lastError: null,
  }
  bot.wake()
  return true
}

export function deleteWebhook(_world: World, bot: Bot, params: Call['params']): true {
  bot.webhook = null
  if (params.drop_pending_updates) bot.updates = []
  return true
}

export function getWebhookInfo(_world: World, bot: Bot) {
  const { webhook, updates, allowed } = bot
  return {
    url: webhook?.url ?? '',
    has_custom_certificate: false,
    pending_update_count: updates.length,
    ...(webhook && { max_connections: webhook.maxConnections }),
    ...(allowed && { allowed_updates: allowed }),
    ...(webhook?.lastError && {
      last_error_date: webhook.lastError.date,
      last_error_message: webhook.lastError.message,
    }),
  }
}

/** Null if the server accepted the update. "we will send an HTTPS POST request to the specified URL, containing a JSON-serialized Update". */
async function post(bot: Bot, update: Update): Promise<string | null> {
  const { url, secret } = bot.webhook!
  const headers = {
    'content-type': 'application/json',
    ...(secret && { 'x-telegram-bot-api-secret-token': secret }),
  }
  try {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(update) })
    await response.arrayBuffer()
    if (response.ok) return null
    return `Wrong response from the webhook: ${response.status} ${response.statusText}`
  } catch (error) {
    return `Connection failed: ${error instanceof Error ? error.message : String(error)}`
  }
}

/**
 * Posts updates to the bot's webhook, in order. "In case of an unsuccessful request (a request with response HTTP status code
 * different from 2XY), we will repeat the request and give up after a reasonable amount of attempts."
 */
export function startWebhook(world: World, bot: Bot): { stop(): void } {
  let isStopped = false
  let isRunning = false

  async function deliver(update: Update): Promise<boolean> {
    const repeated = Array.from({ length: world.repeats }, () => post(bot, update))
    const [problem = null] = await Promise.all([post(bot, update), ...repeated])
    if (!problem) return true
    if (bot.webhook) bot.webhook.lastError = { date: unixTime(), message: problem }
    return false
  }

  async function run(): Promise<void> {
    if (isRunning) return
    isRunning = true
    while (!isStopped && bot.webhook && bot.updates.length > 0) {
      const [update] = bot.updates
      if (await deliver(update!)) bot.updates = bot.updates.filter(one => one !== update)
      else await new Promise(resolve => setTimeout(resolve, world.webhookPauseMs))
    }
    isRunning = false
  }

  bot.wake = () => void run()
  return {
    stop() {
      isStopped = true
    },
  }
}
