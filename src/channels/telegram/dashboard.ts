import { Readable } from 'node:stream'
import type { Config } from '../../core/config/config.ts'
import type { Vault } from '../../core/crypto.ts'
import { bytes, type Endpoint, endpoint } from '../../core/endpoint.ts'
import { ApiError } from '../../core/errors.ts'
import { type BotApis, createBotApis } from './bot-api/bot-apis.ts'
import { getBot } from './bots/bots.ts'
import { findBotPicture, listBotOutages } from './bots/queries.ts'
import * as schema from './bots/schema.ts'
import { getTextDefaults } from './bots/text-defaults.ts'
import { botEndpoints } from './bots-api.ts'
import { readConversation, telegramConversation } from './conversation.ts'

/** The dashboard's operations for bots. */

export interface TelegramDashboardDeps {
  config: Config
  vault: Vault
}

export type OperationDeps = TelegramDashboardDeps & { apis: BotApis }

const tag = 'Telegram'
const minRole = 'admin'
const path = '/telegram-bots/{bot_id}'

const reading: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/telegram-bots/outages',
    tag,
    summary: 'List Telegram bots that receive nothing',
    description:
      'Bots with a problem that someone has to fix, and bots that have been failing for 15 minutes.',
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

const conversation = endpoint({
  method: 'GET',
  path: '/tickets/{ticket_id}/telegram',
  tag,
  summary: "Get a ticket's chat in Telegram",
  description: 'Shows where the next reply goes and whether it can be delivered.',
  responses: { 200: telegramConversation },
  errors: ['TICKET_NOT_FOUND'],
  run: ({ db, project, params }) => readConversation(db, project.id, params.ticket_id!),
})

export function telegramDashboard(given: TelegramDashboardDeps): Endpoint[] {
  const deps = { ...given, apis: createBotApis(given) }
  return [...botEndpoints(deps), ...reading, conversation]
}
