import { differenceOf } from '../../../audit/difference.ts'
import type { Config } from '../../../core/config/config.ts'
import type { Vault } from '../../../core/crypto.ts'
import type { Db } from '../../../core/db/db.ts'
import { ApiError, refuse } from '../../../core/errors.ts'
import { pick } from '../../../core/fields.ts'
import { isId, newId } from '../../../core/ids.ts'
import { spellLocales } from '../../../core/text/locale.ts'
import { type Tx, transact } from '../../../events/transaction.ts'
import { type AccountCaller, createAccountRules, requireDepartment } from '../../accounts/account-rules.ts'
import { insertAccountDue } from '../../accounts/lease-queries.ts'
import type { BotApis } from '../bot-api/bot-apis.ts'
import { botTable } from '../receiving/lease-queries.ts'
import type { BotChange, BotSettings, ConnectedBot, NewBot, TelegramBotRow } from './bot.ts'
import { readApiRoot, readBotToken, requireBotIdentity } from './check-token.ts'
import {
  deleteBotOwner,
  findBotRow,
  findConnectedBot,
  insertBot,
  insertBotOwner,
  insertBotRate,
  lockBot,
  updateBot,
  updateBotServer,
  updateBotState,
} from './queries.ts'
import { openToken, sealToken } from './secrets.ts'
import { wakeChats } from './wake-chats.ts'

/** The rules for adding and changing bots. */

export interface BotDeps {
  config: Pick<Config, 'publicUrl' | 'webhookAllowedCidrs'>
  vault: Vault
  apis: BotApis
  db: Db
}

const maxBots = 100

/** Makes the bot due immediately. Must be the last statement of a transaction, because it locks `due_work`. */
export const noteBotDue = (tx: Tx, id: string) =>
  insertAccountDue(tx, botTable, { project_id: tx.projectId, id })

const rules = createAccountRules<Pick<TelegramBotRow, 'id' | 'username'>, ConnectedBot, TelegramBotRow>({
  audited: 'telegram_bot',
  nameOf: ({ username }) => `@${username}`,
  notFound: 'TELEGRAM_BOT_NOT_FOUND',
  table: 'telegram_bots',
  quota: { max: maxBots, field: 'token' },
  find: findBotRow,
  lock: lockBot,
  updateState: (tx, id, state) => updateBotState(tx, tx.projectId, id, state),
  async wake(tx, id, state) {
    if (state === 'active') await wakeChats(tx, id)
    await noteBotDue(tx, id)
  },
})

/** While a bot is paused, Telegram keeps its updates for 24 hours and then deletes them. */
export const {
  get: getBot,
  getLocked: getLockedBot,
  note: noteBot,
  pause: pauseBot,
  resume: resumeBot,
} = rules

export const changeLockedBot = rules.change

const readSettings = (input: BotSettings): BotSettings => ({
  ...pick(input, [
    'name',
    'receiving',
    'department_id',
    'takes_groups',
    'sends_away',
    'asks_phone',
    'asks_rating',
  ]),
  ...(input.texts && { texts: spellLocales('texts', input.texts) }),
})

/** Checks the token with Telegram first, outside the transaction. */
export async function createBot(
  deps: BotDeps,
  caller: AccountCaller,
  input: NewBot,
): Promise<TelegramBotRow> {
  const access = { token: readBotToken(input.token), apiRoot: readApiRoot(input.api_root) }
  const settings = readSettings(input)
  const projectId = caller.project.id
  await requireDepartment(deps.db, projectId, settings.department_id)
  const found = await requireBotIdentity(deps.apis, access)
  const id = newId()
  return transact(deps.db, projectId, async tx => {
    await rules.requireRoom(tx)
    await requireDepartment(tx, projectId, settings.department_id)
    const token = sealToken(deps.vault, projectId, id, access.token)
    await insertBot(tx, projectId, id, found, { token, name: found.name, api_root: access.apiRoot })
    if (!(await insertBotOwner(tx, projectId, id, { ...found, api_root: access.apiRoot })))
      throw new ApiError('TELEGRAM_BOT_EXISTS', { username: found.username })
    await insertBotRate(tx, projectId, id)
    await updateBot(tx, projectId, id, settings)
    const made = await getBot(tx, projectId, id)
    await noteBot(tx, caller, 'telegram_bot.created', made, { api_root: made.api_root })
    await noteBotDue(tx, id)
    return made
  })
}

/** The fields that a new token or server changes. The token must belong to the same bot, because the chats belong to that bot. */
async function readAccessChange(deps: BotDeps, projectId: string, old: ConnectedBot, input: BotChange) {
  if (input.token === undefined && input.api_root === undefined) return {}
  const token = input.token === undefined ? openToken(deps.vault, old) : readBotToken(input.token)
  const apiRoot = input.api_root === undefined ? old.api_root : readApiRoot(input.api_root)
  // Otherwise, an admin could have the stored token sent to any server.
  if (apiRoot !== old.api_root && input.token === undefined) throw refuse('token', 'required')
  const { telegram_id, username, picture } = await requireBotIdentity(deps.apis, { token, apiRoot })
  if (telegram_id !== old.telegram_id) throw refuse('token', 'other_bot')
  return { username, picture, api_root: apiRoot, sealed: sealToken(deps.vault, projectId, old.id, token) }
}

async function moveBot(tx: Tx, bot: TelegramBotRow): Promise<void> {
  await deleteBotOwner(tx, tx.projectId, bot.id)
  if (!(await insertBotOwner(tx, tx.projectId, bot.id, bot)))
    throw new ApiError('TELEGRAM_BOT_EXISTS', { username: bot.username })
  await updateBotServer(tx, tx.projectId, bot.id)
}

const auditedFields = [
  ...(['name', 'receiving', 'department_id', 'takes_groups', 'sends_away', 'asks_phone'] as const),
  ...(['asks_rating', 'texts', 'api_root', 'username'] as const),
]

export async function changeBot(
  deps: BotDeps,
  caller: AccountCaller,
  id: string,
  input: BotChange,
  version: number | null,
): Promise<TelegramBotRow> {
  const projectId = caller.project.id
  const settings = readSettings(input)
  const before = isId(id) ? await findConnectedBot(deps.db, projectId, id) : null
  if (!before) throw new ApiError('TELEGRAM_BOT_NOT_FOUND')
  await requireDepartment(deps.db, projectId, settings.department_id)
  const access = await readAccessChange(deps, projectId, before, input)
  const work = async (tx: Tx, old: ConnectedBot) => {
    await requireDepartment(tx, projectId, settings.department_id)
    await updateBot(tx, projectId, id, { ...settings, ...access })
    const changed = await getBot(tx, projectId, id)
    if (changed.api_root !== old.api_root) await moveBot(tx, changed)
    await noteBot(tx, caller, 'telegram_bot.changed', changed, {
      ...differenceOf(pick(old, auditedFields), pick(changed, auditedFields)),
      token_replaced: input.token !== undefined,
    })
    await wakeChats(tx, id)
    await noteBotDue(tx, id)
  }
  return changeLockedBot(deps.db, caller, id, work, version)
}
