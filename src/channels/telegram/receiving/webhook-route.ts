import type { Update } from '@grammyjs/types'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../../core/config/config.ts'
import { isSame, type Vault } from '../../../core/crypto.ts'
import type { Db } from '../../../core/db/db.ts'
import { isId } from '../../../core/ids.ts'
import type { Limiter } from '../../../limits/limiter.ts'
import { spendAddressBudget } from '../../../limits/rate-limit.ts'
import type { BotState } from '../bots/bot.ts'
import { findBotRow } from '../bots/queries.ts'
import { deriveWebhookKeys } from '../bots/secrets.ts'
import { storeUpdates } from './store-updates.ts'

/** The route to which Telegram delivers bots' updates. */

interface WebhookRouteDeps {
  config: Pick<Config, 'rateLimitPerIp'>
  db: Db
  limiter: Limiter
  vault: Vault
}

interface Target {
  projectId: string
  botId: string
  key: string
}

function readTarget({ params }: FastifyRequest): Target {
  const given: Partial<Target> = { ...(typeof params === 'object' ? params : null) }
  const { projectId = '', botId = '', key = '' } = given
  return { projectId, botId, key }
}

/** Compares in constant time. The path and the header are both derived from a key that only this installation has. */
function isFromTelegram(vault: Vault, { projectId, botId, key }: Target, header: unknown): boolean {
  const { path, secret } = deriveWebhookKeys(vault, projectId, botId)
  const isPath = isSame(Buffer.from(key), Buffer.from(path))
  const isSecret = isSame(Buffer.from(typeof header === 'string' ? header : ''), Buffer.from(secret))
  return isPath && isSecret
}

const isUpdate = (body: unknown): body is Update =>
  typeof body === 'object' && body !== null && 'update_id' in body && Number.isSafeInteger(body.update_id)

/** Telegram keeps updates that a paused bot does not accept, and delivers them later. */
const isReceiving = (state: BotState | undefined): boolean => state === 'active'

/** Telegram sends at most a few kilobytes. */
const bodyLimit = 1024 * 1024

/**
 * Answers 200 only after the update was committed. Requests that are not from Telegram are rate-limited like those without a key, and
 * their bodies are not read. Telegram's own requests are never limited.
 */
export function mountTelegramWebhook(app: FastifyInstance, deps: WebhookRouteDeps): void {
  const { config, db, limiter, vault } = deps
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    const target = readTarget(request)
    const { projectId, botId } = target
    const header = request.headers['x-telegram-bot-api-secret-token']
    if (isId(projectId) && isId(botId) && isFromTelegram(vault, target, header)) return
    await spendAddressBudget(limiter, 'telegram', request.ip, config.rateLimitPerIp)
    return reply.code(404).send({ error: 'not_found' })
  }
  app.post('/:projectId/:botId/:key', { bodyLimit, onRequest }, async (request, reply) => {
    const { projectId, botId } = readTarget(request)
    const { body } = request
    if (!isUpdate(body)) return reply.code(400).send({ error: 'invalid' })
    const bot = await findBotRow(db, projectId, botId)
    if (!bot) return reply.code(404).send({ error: 'not_found' })
    if (!isReceiving(bot.state)) return reply.code(503).send({ error: 'paused' })
    await storeUpdates(db, { project_id: projectId, id: botId }, [body], false)
    return reply.code(200).send({})
  })
}
