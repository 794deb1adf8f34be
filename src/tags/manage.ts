import { recordAudit } from '../audit/audit.ts'
import { differenceOf } from '../audit/difference.ts'
import type { Caller } from '../core/endpoint.ts'
import { ApiError, refuse } from '../core/errors.ts'
import { pick } from '../core/fields.ts'
import { isId } from '../core/ids.ts'
import { type ChangedBy, changedBy } from '../events/ticket-history.ts'
import { type DbOrTx, type Tx, transact } from '../events/transaction.ts'
import {
  deleteTagRow,
  hasTag,
  insertTag,
  insertTagChange,
  lockTag,
  type TagRow,
  updateTag,
  updateTaggedArticles,
  updateTaggedViews,
} from './queries.ts'
import type { NewTag, TagChange } from './schema.ts'
import { renameInConditions } from './view-conditions.ts'

/** What admins can do with tags. A job updates the tickets and contacts that have a tag. */

const targetOf = ({ id, name }: TagRow) => ({ type: 'tag', id, name })

async function getLocked(tx: Tx, id: string): Promise<TagRow> {
  const row = isId(id) ? await lockTag(tx, tx.projectId, id) : null
  if (!row) throw new ApiError('TAG_NOT_FOUND')
  return row
}

export const createTag = (store: DbOrTx, { project, actor }: Caller, { name, color = null }: NewTag) =>
  transact(store, project.id, async tx => {
    const made = await insertTag(tx, project.id, { name: name.trim(), color })
    if (!made) throw new ApiError('TAG_EXISTS')
    await recordAudit(tx, project.id, actor, 'tag.created', targetOf(made))
    return { ...made, is_changing: false }
  })

/** Replaces a tag in views and articles at once, and in tickets and contacts, of which there may be many, by a job. */
async function replaceTag(tx: Tx, by: ChangedBy, old_name: string, new_name: string | null): Promise<void> {
  await updateTaggedViews(tx, tx.projectId, { old_name, new_name })
  if (new_name !== null) await renameInConditions(tx, old_name, new_name)
  await updateTaggedArticles(tx, { old_name, new_name })
  await insertTagChange(tx, tx.projectId, old_name, new_name, by)
  tx.noteDue('tags')
}

/** Renames a tag. The new name must not belong to another tag. */
async function rename(tx: Tx, by: ChangedBy, { id, name: old }: TagRow, name: string): Promise<void> {
  if (await hasTag(tx, tx.projectId, name, id)) throw new ApiError('TAG_EXISTS')
  await replaceTag(tx, by, old, name)
}

export const changeTag = (store: DbOrTx, { project, actor }: Caller, id: string, sent: TagChange) =>
  transact(store, project.id, async tx => {
    const before = await getLocked(tx, id)
    const change = { ...pick(sent, ['color']), ...(sent.name && { name: sent.name.trim() }) }
    const difference = differenceOf(before, change)
    if (!difference) return { ...before, is_changing: false }
    const isRenamed = change.name !== undefined && change.name !== before.name
    if (isRenamed) await rename(tx, changedBy({ actor }), before, change.name!)
    await updateTag(tx, project.id, id, change)
    await recordAudit(tx, project.id, actor, 'tag.changed', targetOf(before), difference)
    return { ...before, ...change, is_changing: isRenamed }
  })

/** Replaces this tag by another one everywhere. */
export const mergeTag = (store: DbOrTx, { project, actor }: Caller, id: string, intoId: string) =>
  transact(store, project.id, async tx => {
    if (id === intoId) throw refuse('into_tag_id', 'same')
    const [first, second] = [id, intoId].sort()
    const locked = [await getLocked(tx, first!), await getLocked(tx, second!)]
    const [from, into] = [locked.find(tag => tag.id === id)!, locked.find(tag => tag.id === intoId)!]
    await replaceTag(tx, changedBy({ actor }), from.name, into.name)
    await deleteTagRow(tx, project.id, id)
    await recordAudit(tx, project.id, actor, 'tag.merged', targetOf(from), { into: into.name })
    return { ...into, is_changing: true }
  })

export const deleteTag = (store: DbOrTx, { project, actor }: Caller, id: string): Promise<void> =>
  transact(store, project.id, async tx => {
    const tag = await getLocked(tx, id)
    await replaceTag(tx, changedBy({ actor }), tag.name, null)
    await deleteTagRow(tx, project.id, id)
    await recordAudit(tx, project.id, actor, 'tag.deleted', targetOf(tag))
  })
