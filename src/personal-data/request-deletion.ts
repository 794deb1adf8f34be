import { recordAudit } from '../audit/audit.ts'
import { getContact, lockNamedContact } from '../contacts/contacts.ts'
import type { Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { ApiError } from '../core/errors.ts'
import { isId, newId } from '../core/ids.ts'
import { type DbOrTx, transact } from '../events/transaction.ts'
import { getTicketId } from '../messages/messages.ts'
import { getTicket } from '../tickets/tickets.ts'
import {
  countDeletable,
  type Deletable,
  findDataDeletion,
  findDeletionOf,
  insertDataDeletion,
  listContactIds,
  listDataDeletions,
  lockDeletable,
} from './queries.ts'
import type { DataDeletion, DataDeletionQuery, DeletionPreview } from './schema.ts'

/** Begins deletions, which a job continues, and shows them. */

async function getDeletable(
  sql: Sql,
  projectId: string,
  kind: DataDeletion['kind'],
  reference: string,
): Promise<Deletable> {
  if (kind === 'contact') return { kind, record_id: (await getContact(sql, projectId, reference)).id }
  const { id } = await getTicket(sql, projectId, await getTicketId(sql, projectId, reference))
  return { kind, record_id: id }
}

const countDeletableOf = async (
  sql: Sql,
  projectId: string,
  { kind, record_id }: Deletable,
): Promise<DeletionPreview> =>
  kind === 'ticket'
    ? countDeletable(sql, projectId, [], [record_id])
    : countDeletable(sql, projectId, await listContactIds(sql, projectId, record_id), [])

/** Counts what a deletion would delete. */
export const previewDeletion = async (
  sql: Sql,
  { project }: Caller,
  kind: DataDeletion['kind'],
  reference: string,
): Promise<DeletionPreview> =>
  countDeletableOf(sql, project.id, await getDeletable(sql, project.id, kind, reference))

/** Begins a deletion. If the record is already being deleted, returns that deletion. */
export const requestDeletion = (
  store: DbOrTx,
  { project, actor }: Caller,
  kind: DataDeletion['kind'],
  reference: string,
): Promise<DataDeletion> =>
  transact(store, project.id, async tx => {
    // Locked, so that it is not merged in the meantime.
    const record =
      kind === 'contact'
        ? { kind, record_id: (await lockNamedContact(tx, reference)).id }
        : await getDeletable(tx, project.id, kind, reference)
    if (kind === 'ticket') await lockDeletable(tx, project.id, record.record_id)
    const { messages } = await countDeletableOf(tx, project.id, record)
    const { count } = await insertDataDeletion(tx, project.id, {
      ...record,
      id: newId(),
      messages_total: messages,
    })
    if (count > 0)
      await recordAudit(tx, project.id, actor, `${kind}.deleted`, { type: kind, id: record.record_id })
    tx.noteDue('data_deletions')
    return (await findDeletionOf(tx, project.id, record))!
  })

export async function getDataDeletion(sql: Sql, projectId: string, id: string): Promise<DataDeletion> {
  const found = isId(id) ? await findDataDeletion(sql, projectId, id) : null
  if (!found) throw new ApiError('DELETION_NOT_FOUND')
  return found
}

const minId = '00000000-0000-0000-0000-000000000000'

/** Oldest first. With an unknown id, from the beginning, so that a program misses nothing. */
export async function pageDataDeletions(
  sql: Sql,
  projectId: string,
  { after = minId, limit = 50 }: DataDeletionQuery,
): Promise<{ items: DataDeletion[]; has_more: boolean }> {
  const rows = await listDataDeletions(sql, projectId, isId(after) ? after : minId, limit + 1)
  return { items: rows.slice(0, limit), has_more: rows.length > limit }
}
