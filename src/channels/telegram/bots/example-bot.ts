import { randomInt } from 'node:crypto'
import type { Vault } from '../../../core/crypto.ts'
import type { Sql } from '../../../core/db/db.ts'
import { newId } from '../../../core/ids.ts'
import { insertBot, insertBotOwner, insertBotRate, updateBotState } from './queries.ts'
import { sealToken } from './secrets.ts'

/** Adds the demo's bot, paused and with an invalid token, so Deskbell never calls Telegram for it. Returns its id. */
export async function addExampleBot(
  sql: Sql,
  vault: Vault,
  projectId: string,
  { username, name }: { username: string; name: string },
): Promise<string> {
  const id = newId()
  // Random, because a bot can belong to only one project and several projects can have a demo.
  const telegram_id = randomInt(1, 2 ** 40)
  const token = sealToken(vault, projectId, id, `${telegram_id}:${'A'.repeat(35)}`)
  await insertBot(sql, projectId, id, { telegram_id, username, picture: null }, { token, name, api_root: '' })
  await insertBotRate(sql, projectId, id)
  await insertBotOwner(sql, projectId, id, { telegram_id, api_root: '' })
  await updateBotState(sql, projectId, id, 'paused')
  return id
}
