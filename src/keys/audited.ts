import { recordAudit } from '../audit/audit.ts'
import { differenceOf } from '../audit/difference.ts'
import type { Caller } from '../core/endpoint.ts'
import { ApiError } from '../core/errors.ts'
import { pick } from '../core/fields.ts'
import { isId } from '../core/ids.ts'
import { type DbOrTx, type Tx, transact } from '../events/transaction.ts'
import { createKey } from './api-keys.ts'
import { deleteOwnKey, findKeyRow, type KeyRow, lockKeyRow, updateKey } from './queries.ts'
import type { KeyChange } from './schema.ts'

/** Key management for admins, with entries in the audit log. */

const targetOf = ({ id, name }: Pick<KeyRow, 'id' | 'name'>) => ({ type: 'key', id, name })

export const createKeyAudited = (store: DbOrTx, { project, actor }: Caller, name: string) =>
  transact(store, project.id, async tx => {
    const { id, key } = await createKey(tx, project.id, name.trim())
    const row = (await findKeyRow(tx, project.id, id))!
    await recordAudit(tx, project.id, actor, 'key.created', targetOf(row), { prefix: row.prefix })
    return { ...row, key }
  })

async function getLocked(tx: Tx, id: string): Promise<KeyRow> {
  const row = isId(id) ? await lockKeyRow(tx, tx.projectId, id) : null
  if (!row) throw new ApiError('KEY_NOT_FOUND')
  return row
}

/** A disabled key is refused from the next request on. */
export const changeKeyAudited = (store: DbOrTx, { project, actor }: Caller, id: string, sent: KeyChange) =>
  transact(store, project.id, async tx => {
    const before = await getLocked(tx, id)
    const change = { ...pick(sent, ['is_active']), ...(sent.name && { name: sent.name.trim() }) }
    const difference = differenceOf(before, change)
    if (!difference) return before
    await updateKey(tx, project.id, id, change)
    await recordAudit(tx, project.id, actor, 'key.changed', targetOf(before), difference)
    return { ...before, ...change }
  })

export const deleteKeyAudited = (store: DbOrTx, { project, actor }: Caller, id: string): Promise<void> =>
  transact(store, project.id, async tx => {
    const row = await getLocked(tx, id)
    await deleteOwnKey(tx, project.id, id)
    await recordAudit(tx, project.id, actor, 'key.deleted', targetOf(row), { prefix: row.prefix })
  })
