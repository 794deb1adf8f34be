import { createBotApis } from '../../channels/telegram/bot-api/bot-apis.ts'
import { wordBotFault } from '../../channels/telegram/bots/bot-fault.ts'
import {
  type BotDeps,
  createBot,
  type getBot,
  pauseBot,
  resumeBot,
} from '../../channels/telegram/bots/bots.ts'
import { deleteBot } from '../../channels/telegram/bots/delete-bot.ts'
import { retryFailedUpdates } from '../../channels/telegram/bots/failed-updates.ts'
import { receivingModeOf } from '../../channels/telegram/bots/receiving-mode.ts'
import { linkOf, listBots } from '../../channels/telegram/bots/show-bot.ts'
import { tryBot } from '../../channels/telegram/bots/try-bot.ts'
import { findProject } from '../../projects/projects.ts'
import { type Command, command } from '../command.ts'
import type { CliSession } from '../session.ts'
import {
  type AccountNoun,
  accountCallerOf,
  accountCommand,
  deleteAccountCommand,
  listCommand,
} from './account-commands.ts'
import { openMailVault } from './mail-vault.ts'
import { readSecretFile, readWord } from './option-values.ts'
import { asUserErrors } from './user-errors.ts'

type Bot = Omit<Awaited<ReturnType<typeof getBot>>, 'backoff_until'>

const noun: AccountNoun = { command: 'telegram', noun: 'Bot', table: 'telegram_bots' }

async function openBots(session: CliSession): Promise<BotDeps> {
  const { config, db } = session
  return { config, db, vault: await openMailVault(session), apis: createBotApis({ config }) }
}

const summaryOf = (bot: Bot, publicUrl: string) => ({
  id: bot.id,
  username: bot.username,
  name: bot.name,
  link: linkOf(bot),
  receives_by: receivingModeOf(bot, publicUrl),
  takes_groups: bot.takes_groups,
  state: bot.state,
  last_ok_at: bot.last_ok_at,
  last_error: bot.last_error && wordBotFault(bot.last_error),
  failed_updates: bot.failed_updates?.count ?? 0,
})

const choices = { receiving: ['auto', 'polling', 'webhook'] } as const

const createCommand = command(
  {
    name: 'telegram create',
    about:
      'Adds a Telegram bot that was created with @BotFather. Messages to it become tickets of the project',
    required: ['project', 'token-file'],
    optional: ['name', 'api-root', 'receiving'],
    flags: ['groups'],
    choices,
    notes: {
      'token-file': 'a file with the token, or - for standard input',
      'api-root': 'the address of your own Bot API server, such as bin/telegram-stand-in',
      receiving:
        'auto (the default) uses a webhook if PUBLIC_URL is public and uses HTTPS, otherwise polling',
      groups: 'messages in groups become tickets too',
    },
  },
  async (session, values) => {
    const { project = '', name } = values
    await findProject(session.db, project)
    const token = (await readSecretFile('token-file', values['token-file'])) ?? ''
    const receiving = readWord('receiving', choices.receiving, values.receiving)
    const deps = await openBots(session)
    const made = await asUserErrors(() =>
      createBot(deps, accountCallerOf(project), {
        token,
        takes_groups: values.groups !== undefined,
        ...(values['api-root'] && { api_root: values['api-root'] }),
        ...(name && { name }),
        ...(receiving && { receiving }),
      }),
    )
    return summaryOf(made, session.config.publicUrl)
  },
  ({ username, link }) => `Bot @${username} is added. People can write to it at ${link}`,
)

export const telegramCommands: Command[] = [
  createCommand,
  listCommand(
    noun,
    "Lists a project's Telegram bots with their state",
    async ({ db, config: { publicUrl } }, project) =>
      (await listBots(db, project, publicUrl)).map(bot => summaryOf(bot, publicUrl)),
    'No bots; add one with bin/deskbell telegram create',
  ),
  accountCommand(
    noun,
    'test',
    'Checks the token and the webhook of a bot with Telegram',
    async (session, { project }, id) => tryBot(await openBots(session), session.db, project.id, id),
    ({ problem, webhook }) =>
      problem?.text ??
      ['The token works.', webhook && `Telegram delivers to ${webhook.url}`, webhook?.last_error]
        .filter(Boolean)
        .join('\n'),
  ),
  accountCommand(
    noun,
    'pause',
    'Pauses a Telegram bot. Telegram keeps new messages for 24 hours and then deletes them',
    async ({ db, config }, caller, id) => summaryOf(await pauseBot(db, caller, id), config.publicUrl),
    ({ username }) => `Bot @${username} is paused`,
  ),
  accountCommand(
    noun,
    'resume',
    'Resumes a paused or broken Telegram bot',
    async ({ db, config }, caller, id) => summaryOf(await resumeBot(db, caller, id), config.publicUrl),
    ({ username }) => `Bot @${username} is active again`,
  ),
  accountCommand(
    noun,
    'retry',
    "Retries a Telegram bot's failed messages",
    async ({ db, config }, caller, id) =>
      summaryOf(await retryFailedUpdates(db, caller, id), config.publicUrl),
    ({ username }) => `The failed messages to @${username} are being retried`,
  ),
  deleteAccountCommand(
    noun,
    'Deletes a Telegram bot. Its tickets and messages are kept',
    async (session, caller, id) => deleteBot(await openBots(session), caller, id),
  ),
]
