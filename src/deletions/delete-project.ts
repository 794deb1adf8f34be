import { setTimeout as pause } from 'node:timers/promises'
import { recordAudit } from '../audit/audit.ts'
import { pauseAfter } from '../core/async/pacing.ts'
import { SetupError } from '../core/config/setup-error.ts'
import type { Db, Sql } from '../core/db/db.ts'
import type { WaitingWork } from '../core/due/due-work.ts'
import type { Log } from '../core/telemetry/log.ts'
import { codeOf, errorOf } from '../core/thrown.ts'
import { UserError } from '../core/user-error.ts'
import { notifyLogChange } from '../events/notifier.ts'
import { transact } from '../events/transaction.ts'
import { deleteDueStrayObjects, type Storages } from '../media/media.ts'
import {
  allowDeletion,
  countObjects,
  deleteNext,
  deleteProject,
  hasProject,
  listWaitingOrders,
  lockDeleting,
  type UniqueName,
  updateLastReceiptNumber,
  updateProjectDeleting,
  updateWebhooksDeleted,
} from './queries.ts'
import { listProjectTables, type ProjectTable } from './tables.ts'

/** Rows per transaction. */
const deleteBatchSize = 1_000

/** Errors caused by requests and jobs that began before the project was closed: the step is tried again. */
const passing = ['40P01', '23503', '57014', '55P03']

/** Milliseconds within which those requests and jobs end. */
const requestEndTimeoutMs = 60_000

/** Deletes projects: closes them first, then deletes their rows in batches. The server and the command line both use it. */

export const waitingDeletions: WaitingWork = sql =>
  sql`select id as project_id, deleting_since as due_at from projects where deleting_since is not null`

async function refuseOrders(sql: Sql, projectId: string): Promise<void> {
  const orders = await listWaitingOrders(sql, projectId)
  if (orders.length === 0) return
  const ids = orders.map(({ order_id }) => order_id).join(', ')
  throw new UserError(
    `This project has open payments: ${ids}; confirm or cancel each one first, with deskbell billing confirm or deskbell billing cancel`,
  )
}

/** Closes the project: after the commit, nobody can use it. This cannot be undone. */
export async function beginDeletion(db: Db, { id, name }: UniqueName): Promise<void> {
  await transact(db, id, async tx => {
    await tx`select from projects where id = ${id} for no key update`
    await refuseOrders(tx, id)
    await updateProjectDeleting(tx, id)
    await updateWebhooksDeleted(tx, id)
    await recordAudit(tx, id, { type: 'cli' }, 'project.deletion_begun', { type: 'project', id, name })
    tx.noteDue('deletions')
  })
  notifyLogChange(id)
}

/** What one step has done. `waiting`: another process works on it, or work begun before the project was closed has not ended. */
export type DeletionStep =
  | { is: 'deleting'; table: string; rows: number }
  | { is: 'waiting' }
  | { is: 'objects'; left: number }
  | { is: 'gone' }

/** Where the next step begins. */
interface Place {
  at: number
  after: string[] | null
}

const start: Place = { at: 0, after: null }

interface Stepped {
  step: DeletionStep
  next: Place
}

/** Deletes up to a thousand rows, continuing with the next table if one has fewer. */
async function deleteRows(
  tx: Sql,
  projectId: string,
  tables: ProjectTable[],
  place: Place,
): Promise<Stepped | null> {
  let { at, after } = place
  let rows = 0
  for (; at < tables.length && rows < deleteBatchSize; ) {
    const table = tables[at]!
    const left = table.name === 'buckets' ? await countObjects(tx, projectId) : 0
    if (left && rows) break
    if (left) return { step: { is: 'objects', left }, next: { at, after } }
    if (table.name === 'receipts') await updateLastReceiptNumber(tx, projectId)
    const deleted = await deleteNext(tx, projectId, table, after, deleteBatchSize - rows)
    at += deleted.last ? 0 : 1
    after = deleted.last
    rows += deleted.rows
  }
  return rows
    ? {
        step: { is: 'deleting', table: tables[Math.min(at, tables.length - 1)]!.name, rows },
        next: { at, after },
      }
    : null
}

/** Deletes rows that were written while the tables were emptied, and then the project itself. */
async function finish(tx: Sql, projectId: string, tables: ProjectTable[]): Promise<Stepped> {
  for (const table of tables) await deleteNext(tx, projectId, table, null, Number.MAX_SAFE_INTEGER)
  await deleteProject(tx, projectId)
  return { step: { is: 'gone' }, next: start }
}

async function takeStep(tx: Sql, projectId: string, place: Place): Promise<Stepped> {
  const held = await lockDeleting(tx, projectId)
  if (!held) return { step: { is: (await hasProject(tx, projectId)) ? 'waiting' : 'gone' }, next: place }
  await allowDeletion(tx)
  const tables = await listProjectTables(tx)
  // Due work is deleted last, because the server finds the deletion by it.
  const first = tables.filter(({ name }) => name !== 'due_work')
  const stepped = await deleteRows(tx, projectId, first, place)
  if (stepped) return stepped
  return held.is_settled ? finish(tx, projectId, tables) : { step: { is: 'waiting' }, next: start }
}

/** Each call deletes up to a thousand rows in one transaction, and then pauses so that others can use the database. */
export function createDeletion(
  db: Db,
  projectId: string,
  clock = () => performance.now(),
): () => Promise<DeletionStep> {
  let place = start
  let refusedSince: number | null = null

  function wait(error: unknown): DeletionStep {
    if (!passing.includes(codeOf(error))) throw error
    place = start
    refusedSince ??= clock()
    if (clock() - refusedSince < requestEndTimeoutMs) return { is: 'waiting' }
    throw new SetupError(
      `The database has refused for more than a minute to delete rows of project ${projectId}: ${errorOf(error).message}; remove what the message names, and the deletion continues`,
    )
  }

  return async () => {
    const startedAt = performance.now()
    try {
      const { step, next } = await db.begin(tx => takeStep(tx, projectId, place))
      place = next
      if (step.is !== 'waiting') refusedSince = null
      if (step.is !== 'gone') await pause(pauseAfter(performance.now() - startedAt))
      return step
    } catch (error) {
      return wait(error)
    }
  }
}

interface Deps {
  storages: Storages
  log: Pick<Log, 'info' | 'warn'>
}

/** The server's part: continues what the command line began, until nothing more can be done for now. */
export function createDeletions({ storages, log }: Deps) {
  const running = new Map<string, () => Promise<DeletionStep>>()

  function open(db: Db, projectId: string): () => Promise<DeletionStep> {
    log.info({ project: projectId }, 'Deleting a project that was closed for deletion')
    const deletion = createDeletion(db, projectId)
    running.set(projectId, deletion)
    return deletion
  }

  return async (db: Db, projectId: string): Promise<number> => {
    const step = await (running.get(projectId) ?? open(db, projectId))()
    if (step.is === 'deleting') return step.rows
    if (step.is === 'objects') return deleteDueStrayObjects(db, storages, log, 100, projectId)
    if (step.is === 'gone' && running.delete(projectId)) log.info({ project: projectId }, 'Deleted a project')
    return 0
  }
}
