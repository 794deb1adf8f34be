import { type Endpoint, endpoint } from '../../core/endpoint.ts'
import { createAccountOperations } from '../accounts/account-api.ts'
import type { TelegramBotRow } from './bots/bot.ts'
import { changeBot, createBot, getBot, pauseBot, resumeBot } from './bots/bots.ts'
import { deleteBot } from './bots/delete-bot.ts'
import { retryFailedUpdates } from './bots/failed-updates.ts'
import * as schema from './bots/schema.ts'
import { listBots, showBot } from './bots/show-bot.ts'
import { checkNewBot, tryBot } from './bots/try-bot.ts'
import type { OperationDeps } from './dashboard.ts'

/** The operations that list, add, change and test bots. */

const tag = 'Telegram'
const minRole = 'admin'
const path = '/telegram-bots/{bot_id}'

/** The settings are read in each request, because the documents are made without settings. */
function bots(deps: OperationDeps): Endpoint[] {
  const publicUrl = () => deps.config.publicUrl
  const operations = createAccountOperations<TelegramBotRow>({
    ...{ tag, path, noun: 'a Telegram bot', notFound: 'TELEGRAM_BOT_NOT_FOUND', shape: schema.telegramBot },
    show: (_, bot) => showBot(bot, publicUrl()),
  })
  return [
    operations.list(
      { summary: 'List Telegram bots with their settings' },
      schema.telegramBotList,
      ({ db, project }) => listBots(db, project.id, publicUrl()),
    ),
    operations.get({ summary: 'Get a Telegram bot with its settings' }, getBot),
    operations.create(
      {
        summary: 'Add a Telegram bot',
        description: 'Checks the token with Telegram. The bot starts receiving messages immediately.',
        ...{ body: schema.newTelegramBot, errors: ['TELEGRAM_BOT_EXISTS'], isWaiting: true },
      },
      call => createBot({ ...deps, db: call.db }, call, call.body),
    ),
    operations.change(
      {
        description: 'Only the fields in the request change. A new token must belong to the same bot.',
        ...{ body: schema.telegramBotChange, errors: ['TELEGRAM_BOT_EXISTS'], isWaiting: true },
      },
      (call, id) => changeBot({ ...deps, db: call.db }, call, id, call.body, call.version),
    ),
    operations.setState(
      'pause',
      { description: 'Telegram keeps new messages for 24 hours and then deletes them.' },
      pauseBot,
    ),
    operations.setState('resume', { description: 'Also retries a broken bot.' }, resumeBot),
    operations.delete(
      {
        summary: 'Delete a Telegram bot',
        description:
          'Its tickets are kept. Messages that are waiting to be sent fail. The bot itself stays in Telegram.',
        isWaiting: true,
      },
      (call, id) => deleteBot({ ...deps, db: call.db }, call, id),
    ),
  ]
}

const testing = (deps: OperationDeps): Endpoint[] => [
  endpoint({
    method: 'POST',
    path: '/telegram-bots/check',
    tag,
    summary: 'Look up the bot that a token belongs to',
    description: 'Asks Telegram for its name and picture. Nothing is stored.',
    minRole,
    isWaiting: true,
    body: schema.botTokenInput,
    responses: { 200: schema.checkedTelegramBot },
    errors: ['VALIDATION_ERROR'],
    run: call => checkNewBot({ ...deps, db: call.db }, call.body),
  }),
  endpoint({
    method: 'POST',
    path: `${path}/test`,
    tag,
    summary: "Test a Telegram bot's connection",
    description: 'Checks the token and the webhook with Telegram. Nothing changes.',
    minRole,
    isWaiting: true,
    responses: { 200: schema.telegramBotTrial },
    errors: ['TELEGRAM_BOT_NOT_FOUND'],
    run: ({ db, project, params }) => tryBot(deps, db, project.id, params.bot_id!),
  }),
]

const retrying = (deps: OperationDeps): Endpoint =>
  endpoint({
    method: 'POST',
    path: `${path}/retry`,
    tag,
    summary: 'Retry the failed messages of a Telegram bot',
    description:
      'Messages and other updates that could not be handled are kept. This call handles them again immediately, in order.',
    minRole,
    responses: { 200: schema.telegramBot },
    errors: ['TELEGRAM_BOT_NOT_FOUND'],
    run: async call =>
      showBot(await retryFailedUpdates(call.db, call, call.params.bot_id!), deps.config.publicUrl),
  })

export const botEndpoints = (deps: OperationDeps): Endpoint[] => [
  ...bots(deps),
  ...testing(deps),
  retrying(deps),
]
