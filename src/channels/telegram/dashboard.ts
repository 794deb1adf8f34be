import { Readable } from 'node:stream'
import type { Config } from '../../core/config/config.ts'
import type { Vault } from '../../core/crypto.ts'
import { bytes, type Call, type Endpoint, endpoint } from '../../core/endpoint.ts'
import { ApiError } from '../../core/errors.ts'
import { type BotApis, createBotApis } from './bot-api/bot-apis.ts'
import { type BotDeps, createBot, getBot } from './bots/bots.ts'
import { findBotPicture, listBotOutages } from './bots/queries.ts'
import * as schema from './bots/schema.ts'
import { listBots, showBot } from './bots/show-bot.ts'
import { getTextDefaults } from './bots/text-defaults.ts'
import { checkNewBot } from './bots/try-bot.ts'
import { changingEndpoints } from './change-api.ts'
import { readConversation, telegramConversation } from './conversation.ts'

/** The operations for bots in the dashboard. */

export interface TelegramDashboardDeps {
  config: Config
  vault: Vault
}

export type OperationDeps = TelegramDashboardDeps & { apis: BotApis }

const tag = 'Telegram'
const minRole = 'admin'
const path = '/telegram-bots/{bot_id}'

const depsOf = (deps: OperationDeps, { db }: Pick<Call, 'db'>): BotDeps => ({ ...deps, db })

const listing = ({ config }: OperationDeps): Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/telegram-bots',
    tag,
    summary: 'List Telegram bots with their settings',
    minRole,
    responses: { 200: schema.telegramBotList },
    errors: [],
    run: async ({ db, project }) => ({ items: await listBots(db, project.id, config.publicUrl) }),
  }),
  endpoint({
    method: 'GET',
    path: '/telegram-bots/outages',
    tag,
    summary: 'List Telegram bots that receive nothing',
    description: 'Bots with a problem that someone has to correct, and those that failed for 15 minutes.',
    responses: { 200: schema.telegramOutages },
    errors: [],
    run: async ({ db, project }) => ({ items: await listBotOutages(db, project.id) }),
  }),
  endpoint({
    method: 'GET',
    path: '/telegram-bots/texts',
    tag,
    summary: "Get Deskbell's own texts for Telegram bots",
    minRole,
    responses: { 200: schema.telegramTextDefaults },
    errors: [],
    run: ({ db, project }) => getTextDefaults(db, project.id),
  }),
]

const reading = ({ config }: OperationDeps): Endpoint[] => [
  endpoint({
    method: 'GET',
    path,
    tag,
    summary: 'Get a Telegram bot with its settings',
    minRole,
    responses: { 200: schema.telegramBot },
    errors: ['TELEGRAM_BOT_NOT_FOUND'],
    run: async ({ db, project, params }) =>
      showBot(await getBot(db, project.id, params.bot_id!), config.publicUrl),
  }),
  endpoint({
    method: 'GET',
    path: `${path}/picture`,
    tag,
    summary: "Get a Telegram bot's picture",
    minRole,
    responses: { 200: bytes },
    errors: ['TELEGRAM_BOT_NOT_FOUND'],
    run: async ({ db, project, params, reply }) => {
      const { id } = await getBot(db, project.id, params.bot_id!)
      const picture = await findBotPicture(db, project.id, id)
      if (!picture) throw new ApiError('TELEGRAM_BOT_NOT_FOUND')
      reply.type('image/jpeg').header('x-content-type-options', 'nosniff')
      return Readable.from([picture])
    },
  }),
]

const adding = (deps: OperationDeps): Endpoint[] => [
  endpoint({
    method: 'POST',
    path: '/telegram-bots/check',
    tag,
    summary: 'Look up the bot of a token',
    description: 'Asks Telegram for its name and picture. Nothing is stored.',
    minRole,
    isWaiting: true,
    body: schema.botTokenInput,
    responses: { 200: schema.checkedTelegramBot },
    errors: ['VALIDATION_ERROR'],
    run: call => checkNewBot(depsOf(deps, call), call.body),
  }),
  endpoint({
    method: 'POST',
    path: '/telegram-bots',
    tag,
    summary: 'Add a Telegram bot',
    description: 'Checks the token with Telegram. The bot receives messages immediately.',
    minRole,
    isWaiting: true,
    body: schema.newTelegramBot,
    responses: { 201: schema.telegramBot },
    errors: ['TELEGRAM_BOT_EXISTS', 'VALIDATION_ERROR'],
    run: async call => showBot(await createBot(depsOf(deps, call), call, call.body), deps.config.publicUrl),
  }),
]

const conversation = endpoint({
  method: 'GET',
  path: '/tickets/{ticket_id}/telegram',
  tag,
  summary: "Get a ticket's chat in Telegram",
  description: 'Says where the next reply goes, and whether it can arrive.',
  responses: { 200: telegramConversation },
  errors: ['TICKET_NOT_FOUND'],
  run: ({ db, project, params }) => readConversation(db, project.id, params.ticket_id!),
})

export function telegramDashboard(given: TelegramDashboardDeps): Endpoint[] {
  const deps = { ...given, apis: createBotApis(given) }
  return [...listing(deps), ...reading(deps), ...adding(deps), ...changingEndpoints(deps), conversation]
}
