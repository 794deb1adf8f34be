import type { Config } from '../../core/config/config.ts'
import type { Vault } from '../../core/crypto.ts'
import { type Endpoint, endpoint } from '../../core/endpoint.ts'
import type { BotApis } from './bot-api/bot-apis.ts'
import { deleteBot, pauseBot, resumeBot } from './bots/bot-state.ts'
import { changeBot } from './bots/bots.ts'
import * as schema from './bots/schema.ts'
import { showBot } from './bots/show-bot.ts'
import { tryBot } from './bots/try-bot.ts'

/** The operations that change a bot. */

const tag = 'Telegram'
const minRole = 'admin'
const path = '/telegram-bots/{bot_id}'

interface ChangeDeps {
  config: Config
  vault: Vault
  apis: BotApis
}

const changing = (deps: ChangeDeps): Endpoint[] => [
  endpoint({
    method: 'PATCH',
    path,
    tag,
    summary: 'Change a Telegram bot',
    description: 'Only the fields in the request change. A new token must belong to the same bot.',
    minRole,
    isWaiting: true,
    body: schema.telegramBotChange,
    responses: { 200: schema.telegramBot },
    errors: ['TELEGRAM_BOT_NOT_FOUND', 'SETTINGS_CHANGED', 'VALIDATION_ERROR'],
    isConditional: true,
    run: async call => {
      const { params, body, version } = call
      const changed = await changeBot({ ...deps, db: call.db }, call, params.bot_id!, body, version)
      return showBot(changed, deps.config.publicUrl)
    },
  }),
  endpoint({
    method: 'POST',
    path: `${path}/test`,
    tag,
    summary: "Test a Telegram bot's connection",
    description: 'Asks Telegram whether the token works, and about the webhook. Nothing changes.',
    minRole,
    isWaiting: true,
    responses: { 200: schema.telegramBotTrial },
    errors: ['TELEGRAM_BOT_NOT_FOUND'],
    run: ({ db, project, params }) => tryBot(deps, db, project.id, params.bot_id!),
  }),
]

const pausing = (deps: ChangeDeps): Endpoint[] => [
  endpoint({
    method: 'POST',
    path: `${path}/pause`,
    tag,
    summary: 'Pause a Telegram bot',
    description: 'Messages stay at Telegram, which deletes them after 24 hours.',
    minRole,
    responses: { 200: schema.telegramBot },
    errors: ['TELEGRAM_BOT_NOT_FOUND'],
    run: async call => showBot(await pauseBot(call.db, call, call.params.bot_id!), deps.config.publicUrl),
  }),
  endpoint({
    method: 'POST',
    path: `${path}/resume`,
    tag,
    summary: 'Resume a Telegram bot',
    description: 'Also retries a broken bot.',
    minRole,
    responses: { 200: schema.telegramBot },
    errors: ['TELEGRAM_BOT_NOT_FOUND'],
    run: async call => showBot(await resumeBot(call.db, call, call.params.bot_id!), deps.config.publicUrl),
  }),
  endpoint({
    method: 'DELETE',
    path,
    tag,
    summary: 'Remove a Telegram bot',
    description:
      'Its tickets are kept. Messages that wait to be sent fail. Nothing else changes in Telegram.',
    minRole,
    isWaiting: true,
    responses: { 204: null },
    errors: ['TELEGRAM_BOT_NOT_FOUND'],
    run: call => deleteBot({ ...deps, db: call.db }, call, call.params.bot_id!),
  }),
]

export const changingEndpoints = (deps: ChangeDeps): Endpoint[] => [...changing(deps), ...pausing(deps)]
