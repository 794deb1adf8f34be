import { isDuplicate, isTimeout } from '../core/db/db.ts'
import { ApiError } from '../core/errors.ts'
import { now } from '../core/time.ts'
import { type DbOrTx, type Tx, transact } from '../events/transaction.ts'
import {
  type ImportCounts,
  insertImport,
  type LockedImport,
  lockImport,
  updateImportCounts,
  updateImportTime,
} from './queries.ts'

/** The import that a call belongs to, and its options. */
export interface ImportTarget {
  projectId: string
  /** The name of the import. */
  source: string
  dryRun?: boolean | undefined
  emit?: boolean | undefined
}

/** One call of the import: one transaction. */
export interface ImportRun {
  tx: Tx
  source: string
  isDryRun: boolean
  emits: boolean
  /** The time of the import, for records without a time. */
  now: string
  /** What the call has added. */
  counts: ImportCounts
}

/** Thrown to roll back the transaction of a dry run. */
class DryRun<R> extends Error {
  readonly results: R
  constructor(results: R) {
    super('A dry run writes nothing')
    this.results = results
  }
}

const busyRetrySeconds = 5

/** Locks the row of an import, or changes it. If another call holds it for longer than a statement may wait, the caller should try again. */
export async function withImportLock<T>(lock: () => Promise<T>): Promise<T> {
  try {
    return await lock()
  } catch (error) {
    if (!isTimeout(error)) throw error
    const detail = { retry_after: busyRetrySeconds, reason: 'import_busy' }
    throw new ApiError('RATE_LIMIT_EXCEEDED', detail, { 'retry-after': String(busyRetrySeconds) })
  }
}

async function openImport(tx: Tx, projectId: string, source: string): Promise<LockedImport | null> {
  await insertImport(tx, projectId, source)
  return lockImport(tx, projectId, source)
}

/**
 * Runs a call under the lock of its import, so that two calls that import the same records do not create them twice. The lock is taken
 * before all others.
 */
const runOnce = <R>(store: DbOrTx, target: ImportTarget, work: (run: ImportRun) => Promise<R>): Promise<R> =>
  transact(store, target.projectId, async tx => {
    const { projectId, source, dryRun = false, emit = false } = target
    const found = await withImportLock(() => openImport(tx, projectId, source))
    if (found?.state !== 'open') throw new ApiError('IMPORT_REMOVING')
    const counts = { contacts: 0, matched_contacts: 0, organizations: 0, tickets: 0, messages: 0, files: 0 }
    const run = { tx, source, isDryRun: dryRun, emits: emit, now: now(), counts }
    const results = await work(run)
    if (dryRun) throw new DryRun(results)
    await updateImportCounts(tx, projectId, source, counts)
    await updateImportTime(tx, projectId, source)
    return results
  })

/** If another request takes an identifier at the same moment, a second attempt finds that it is taken. */
export async function runImportCall<R>(
  store: DbOrTx,
  target: ImportTarget,
  work: (run: ImportRun) => Promise<R>,
): Promise<R> {
  try {
    return await runOnce(store, target, work).catch(error => {
      if (!isDuplicate(error)) throw error
      return runOnce(store, target, work)
    })
  } catch (error) {
    if (error instanceof DryRun) return error.results
    throw error
  }
}
