import { createBotApis } from '../../channels/telegram/bot-api/bot-apis.ts'
import { wordBotFault } from '../../channels/telegram/bots/bot-fault.ts'
import { deleteBot, pauseBot, resumeBot } from '../../channels/telegram/bots/bot-state.ts'
import { type BotCaller, type BotDeps, createBot, type getBot } from '../../channels/telegram/bots/bots.ts'
import { receivingModeOf } from '../../channels/telegram/bots/receiving-mode.ts'
import { linkOf, listBots } from '../../channels/telegram/bots/show-bot.ts'
import { tryBot } from '../../channels/telegram/bots/try-bot.ts'
import { UserError } from '../../core/user-error.ts'
import { findProject } from '../../projects/projects.ts'
import { type Command, command } from '../command.ts'
import type { CliSession } from '../session.ts'
import { drawRecords } from '../table.ts'
import { openMailVault } from './mail-vault.ts'
import { readSecretFile, readWord } from './option-values.ts'
import { asUserErrors } from './user-errors.ts'

type Bot = Omit<Awaited<ReturnType<typeof getBot>>, 'backoff_until'>

const callerOf = (projectId: string): BotCaller => ({ project: { id: projectId }, actor: { type: 'cli' } })

async function openBots(session: CliSession): Promise<BotDeps> {
  const { config, db } = session
  return { config, db, vault: await openMailVault(session), apis: createBotApis({ config }) }
}

/** The project that a bot belongs to. */
async function findProjectOfBot({ db }: CliSession, id: string): Promise<string> {
  const [row] = await db<{ project_id: string }[]>`
    select project_id from telegram_bots where project_id is not null and id::text = ${id}`
  if (!row)
    throw new UserError(`Bot ${id} not found; list bots with bin/deskbell telegram list --project PROJECT`)
  return row.project_id
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
})

const choices = { receiving: ['auto', 'polling', 'webhook'] } as const

const createCommand = command(
  {
    name: 'telegram create',
    about:
      'Adds a Telegram bot, whose messages become tickets of a project. @BotFather in Telegram makes bots',
    required: ['project', 'token-file'],
    optional: ['name', 'api-root', 'receiving'],
    flags: ['groups'],
    choices,
    notes: {
      'token-file': 'a file with the token, or - for standard input',
      'api-root': 'the address of a Bot API server of your own, such as bin/telegram-stand-in',
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
      createBot(deps, callerOf(project), {
        token,
        takes_groups: values.groups !== undefined,
        ...(values['api-root'] && { api_root: values['api-root'] }),
        ...(name && { name }),
        ...(receiving && { receiving }),
      }),
    )
    return summaryOf(made, session.config.publicUrl)
  },
  ({ username, link }) => `Bot @${username} is added. People open it with ${link}`,
)

const listCommand = command(
  { name: 'telegram list', about: "Lists a project's Telegram bots with their state", required: ['project'] },
  async ({ db, config }, { project = '' }) => {
    await findProject(db, project)
    const bots = await listBots(db, project, config.publicUrl)
    return { items: bots.map(bot => summaryOf(bot, config.publicUrl)) }
  },
  ({ items }) => drawRecords(items, 'No bots; add one with bin/deskbell telegram create'),
)

const testCommand = command(
  {
    name: 'telegram test',
    about: 'Asks Telegram whether the token of a bot works, and about its webhook',
    arguments: ['ID'],
  },
  async (session, { ID: id = '' }) =>
    tryBot(await openBots(session), session.db, await findProjectOfBot(session, id), id),
  ({ problem, webhook }) =>
    problem?.text ??
    ['The token works.', webhook && `Telegram delivers to ${webhook.url}`, webhook?.last_error]
      .filter(Boolean)
      .join('\n'),
)

export const telegramCommands: Command[] = [
  createCommand,
  listCommand,
  testCommand,
  command(
    {
      name: 'telegram pause',
      about: 'Pauses a Telegram bot. Its messages stay at Telegram, which deletes them after 24 hours',
      arguments: ['ID'],
    },
    async (session, { ID: id = '' }) => {
      const paused = await pauseBot(session.db, callerOf(await findProjectOfBot(session, id)), id)
      return summaryOf(paused, session.config.publicUrl)
    },
    ({ username }) => `Bot @${username} is paused`,
  ),
  command(
    { name: 'telegram resume', about: 'Resumes a paused or broken Telegram bot', arguments: ['ID'] },
    async (session, { ID: id = '' }) => {
      const resumed = await resumeBot(session.db, callerOf(await findProjectOfBot(session, id)), id)
      return summaryOf(resumed, session.config.publicUrl)
    },
    ({ username }) => `Bot @${username} is active again`,
  ),
  command(
    {
      name: 'telegram delete',
      about: 'Removes a Telegram bot. Its tickets and messages stay',
      arguments: ['ID'],
    },
    async (session, { ID: id = '' }) => {
      await deleteBot(await openBots(session), callerOf(await findProjectOfBot(session, id)), id)
      return { id }
    },
    ({ id }) => `Bot ${id} is removed`,
  ),
]
