import { type AuditAction, type AuditAuthor, recordAudit } from '../../../audit/audit.ts'
import { differenceOf } from '../../../audit/difference.ts'
import { requireQuota } from '../../../core/async/quota.ts'
import type { Config } from '../../../core/config/config.ts'
import type { Vault } from '../../../core/crypto.ts'
import type { Db, Sql } from '../../../core/db/db.ts'
import { noteDueRows } from '../../../core/due/due-work.ts'
import { ApiError, refuse } from '../../../core/errors.ts'
import { pick } from '../../../core/fields.ts'
import { isId, newId } from '../../../core/ids.ts'
import { spellLocales } from '../../../core/text/locale.ts'
import { type Tx, transact } from '../../../events/transaction.ts'
import { findDepartment } from '../../../operators/operators.ts'
import type { BotApis } from '../bot-api/bot-apis.ts'
import type { BotChange, BotSettings, ConnectedBot, NewBot, TelegramBotRow } from './bot.ts'
import { readApiRoot, readBotToken, requireBotIdentity } from './check-token.ts'
import {
  countBots,
  findBotRow,
  findConnectedBot,
  insertBot,
  insertBotOwner,
  insertBotRate,
  lockBot,
  updateBot,
  updateBotServer,
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

/** The bot's project, and who makes the change. */
export interface BotCaller {
  project: { id: string }
  actor: AuditAuthor
}

const maxBots = 100

export const noteBot = (
  tx: Tx,
  { actor }: BotCaller,
  action: AuditAction,
  { id, username }: Pick<TelegramBotRow, 'id' | 'username'>,
  detail = {},
) => recordAudit(tx, tx.projectId, actor, action, { type: 'telegram_bot', id, name: `@${username}` }, detail)

/** Makes the bot due immediately. It locks `due_work`, so it must be the last statement of a change. */
export const noteBotDue = (tx: Tx, id: string) =>
  noteDueRows(
    tx,
    'telegram_bots',
    tx`select ${tx.projectId}::uuid as project_id, ${id}::uuid as subject_id, now() as due_at`,
  )

async function requireDepartment(sql: Sql, projectId: string, { department_id }: BotSettings): Promise<void> {
  if (department_id && !(await findDepartment(sql, projectId, department_id)))
    throw refuse('department_id', 'not_found')
}

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

export async function getBot(sql: Sql, projectId: string, id: string): Promise<TelegramBotRow> {
  const row = isId(id) ? await findBotRow(sql, projectId, id) : null
  if (!row) throw new ApiError('TELEGRAM_BOT_NOT_FOUND')
  return row
}

export async function getLockedBot(tx: Tx, id: string): Promise<ConnectedBot> {
  const row = isId(id) ? await lockBot(tx, tx.projectId, id) : null
  if (!row) throw new ApiError('TELEGRAM_BOT_NOT_FOUND')
  return row
}

/** Telegram is asked about the token first, outside of the transaction. */
export async function createBot(deps: BotDeps, caller: BotCaller, input: NewBot): Promise<TelegramBotRow> {
  const access = { token: readBotToken(input.token), apiRoot: readApiRoot(input.api_root) }
  const settings = readSettings(input)
  const projectId = caller.project.id
  await requireDepartment(deps.db, projectId, settings)
  const found = await requireBotIdentity(deps.apis, access)
  const id = newId()
  return transact(deps.db, projectId, async tx => {
    await requireQuota(tx, { of: ['telegram bots', projectId], max: maxBots, field: 'token' }, () =>
      countBots(tx, projectId),
    )
    await requireDepartment(tx, projectId, settings)
    const token = sealToken(deps.vault, projectId, id, access.token)
    await insertBot(tx, projectId, id, found, { token, name: found.name, api_root: access.apiRoot })
    if (!(await insertBotOwner(tx, projectId, id, found.telegram_id)))
      throw new ApiError('TELEGRAM_BOT_EXISTS', { username: found.username })
    await insertBotRate(tx, projectId, id)
    await updateBot(tx, projectId, id, settings)
    const made = await getBot(tx, projectId, id)
    await noteBot(tx, caller, 'telegram_bot.created', made, { api_root: made.api_root })
    await noteBotDue(tx, id)
    return made
  })
}

/** What a new token or server changes. The bot must stay the same, because its chats belong to it. */
async function readAccessChange(deps: BotDeps, projectId: string, old: ConnectedBot, input: BotChange) {
  if (input.token === undefined && input.api_root === undefined) return {}
  const token = input.token === undefined ? openToken(deps.vault, old) : readBotToken(input.token)
  const apiRoot = input.api_root === undefined ? old.api_root : readApiRoot(input.api_root)
  // The token must not be sent to a server that somebody else names.
  if (apiRoot !== old.api_root && input.token === undefined) throw refuse('token', 'required')
  const { telegram_id, username, picture } = await requireBotIdentity(deps.apis, { token, apiRoot })
  if (telegram_id !== old.telegram_id) throw refuse('token', 'other_bot')
  return { username, picture, api_root: apiRoot, sealed: sealToken(deps.vault, projectId, old.id, token) }
}

const auditedFields = [
  ...(['name', 'receiving', 'department_id', 'takes_groups', 'sends_away', 'asks_phone'] as const),
  ...(['asks_rating', 'texts', 'api_root', 'username'] as const),
]

export async function changeBot(
  deps: BotDeps,
  caller: BotCaller,
  id: string,
  input: BotChange,
  version: number | null,
): Promise<TelegramBotRow> {
  const projectId = caller.project.id
  const settings = readSettings(input)
  const before = isId(id) ? await findConnectedBot(deps.db, projectId, id) : null
  if (!before) throw new ApiError('TELEGRAM_BOT_NOT_FOUND')
  await requireDepartment(deps.db, projectId, settings)
  const access = await readAccessChange(deps, projectId, before, input)
  return transact(deps.db, projectId, async tx => {
    const old = await getLockedBot(tx, id)
    if (version !== null && version !== old.version)
      throw new ApiError('SETTINGS_CHANGED', { current: await getBot(tx, projectId, id) })
    await requireDepartment(tx, projectId, settings)
    await updateBot(tx, projectId, id, { ...settings, ...access })
    const changed = await getBot(tx, projectId, id)
    if (changed.api_root !== old.api_root) await updateBotServer(tx, projectId, id)
    await noteBot(tx, caller, 'telegram_bot.changed', changed, {
      ...differenceOf(pick(old, auditedFields), pick(changed, auditedFields)),
      token_replaced: input.token !== undefined,
    })
    await wakeChats(tx, id)
    await noteBotDue(tx, id)
    return changed
  })
}
