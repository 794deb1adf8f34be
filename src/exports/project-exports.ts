import { randomUUID } from 'node:crypto'
import { recordAudit } from '../audit/audit.ts'
import type { Db, Sql } from '../core/db/db.ts'
import { isFull } from '../core/db/full-disk.ts'
import type { Caller } from '../core/endpoint.ts'
import { ApiError } from '../core/errors.ts'
import { isId, newId } from '../core/ids.ts'
import type { Log } from '../core/telemetry/log.ts'
import { type DbOrTx, transact } from '../events/transaction.ts'
import { claimStrayObject, deleteStrayObject, reserveObject, type Storages } from '../media/media.ts'
import { writeArchive } from './archive.ts'
import {
  type ClaimedExport,
  deleteExpiredExportRows,
  findExportFile,
  hasUnfinishedExport,
  insertExport,
  listExportRows,
  lockExport,
  type StoredExport,
  updateExportFailed,
  updateExportFinished,
  updateExportLease,
  updateExportProgress,
  updateStrayDue,
} from './queries.ts'
import { countRows } from './rows.ts'
import type { Exported } from './schema.ts'

/** Exports: copies of a whole project, for its owners. */

const maxTries = 3

export const listExports = async (sql: Sql, { project, actor }: Caller): Promise<Exported[]> => [
  ...(await listExportRows(sql, project.id, actor.id)),
]

/** Only one at a time, because two would read the same rows. */
export const requestExport = (
  store: DbOrTx,
  { project, actor }: Caller,
  hasFiles: boolean,
): Promise<Exported> =>
  transact(store, project.id, async tx => {
    await tx`select from projects where id = ${project.id} for no key update`
    if (await hasUnfinishedExport(tx, project.id))
      throw new ApiError('NOT_POSSIBLE', { reason: 'export_in_progress' })
    const id = newId()
    tx.noteDue('exports')
    const [made] = await insertExport(tx, project.id, { id, operatorId: actor.id, hasFiles })
    await recordAudit(
      tx,
      project.id,
      actor,
      'export.asked_for',
      { type: 'export', id },
      { has_files: hasFiles },
    )
    return made!
  })

/** Returns the file only to the person who requested it. Each download is audited. */
export const openExport = (store: DbOrTx, { project, actor }: Caller, id: string): Promise<StoredExport> =>
  transact(store, project.id, async tx => {
    const file = isId(id) ? await findExportFile(tx, project.id, id, actor.id) : null
    if (!file) throw new ApiError('EXPORT_NOT_FOUND')
    await recordAudit(tx, project.id, actor, 'export.downloaded', { type: 'export', id })
    return file
  })

interface Deps {
  db: Db
  storages: Storages
  log: Pick<Log, 'warn'>
}

async function* counted(content: AsyncIterable<Buffer>, tally: { size: number }): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    tally.size += chunk.length
    yield chunk
  }
}

/** Milliseconds after which another process takes over an export whose process has died. */
const usualLease = 120_000

/** Renews the lease at an interval until the work ends, because one file alone may take longer than a lease. */
async function underLease<T>(
  db: Db,
  claimed: ClaimedExport,
  { key, lease }: { key: string; lease: number },
  work: () => Promise<T>,
): Promise<T> {
  const renew = async () => {
    await updateExportLease(db, claimed, lease)
    await updateStrayDue(db, key)
  }
  let renewal = Promise.resolve()
  // If a renewal fails, the next one makes up for it. A process that has lost the lease notices this in `progress` or at the end.
  const timer = setInterval(() => (renewal = renewal.then(renew).catch(() => {})), lease / 4)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    await renewal
  }
}

/** Stores the progress of an export. */
function follow(db: Db, claimed: ClaimedExport, rowsTotal: number) {
  let rowsDone = 0
  return async (step: string, rows: number): Promise<void> => {
    rowsDone += rows
    const { count } = await updateExportProgress(db, claimed, { step, rowsDone, rowsTotal })
    if (count === 0) throw new Error('Another process has taken this export')
  }
}

async function write({ db, storages }: Deps, claimed: ClaimedExport, key: string): Promise<void> {
  const { project_id: projectId, has_files: hasFiles } = claimed
  const { storage, bucketId } = await reserveObject({ db, storages }, projectId, key)
  const progress = follow(db, claimed, await countRows(db, projectId))
  const tally = { size: 0 }
  const archive = await writeArchive({ db, storages, projectId, hasFiles, progress })
  await storage.write(key, counted(archive, tally), true)
  await transact(db, projectId, async tx => {
    if (!(await claimStrayObject(tx, key)))
      throw new Error('The archive was deleted while it was being written')
    const stored = { storage_key: key, bucket_id: bucketId, size: tally.size }
    const { count } = await updateExportFinished(tx, claimed, stored)
    if (count === 0) throw new Error('Another process has taken this export')
  })
}

/** Writes a waiting export, and returns how many there were: 0 or 1. A failed one is tried up to three times in all. */
export async function writeExports(deps: Deps, projectId: string, lease = usualLease): Promise<number> {
  const claimed = await lockExport(deps.db, projectId, lease)
  if (!claimed) return 0
  const key = randomUUID().replaceAll('-', '')
  try {
    await underLease(deps.db, claimed, { key, lease }, () => write(deps, claimed, key))
  } catch (error) {
    deps.log.warn({ err: error, export: claimed.id }, 'An export could not be written')
    const reason = isFull(error) ? 'storage_full' : 'not_written'
    await updateExportFailed(deps.db, claimed, { reason, isFinal: claimed.tries >= maxTries })
    await deleteStrayObject(deps.db, deps.storages, key).catch(() => {})
  }
  return 1
}

export async function deleteExpiredExports(db: Db): Promise<number> {
  const { count } = await deleteExpiredExportRows(db)
  return count
}
