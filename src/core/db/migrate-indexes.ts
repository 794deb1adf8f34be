import { setTimeout as sleep } from 'node:timers/promises'
import { SetupError } from '../config/setup-error.ts'
import type { Log } from '../telemetry/log.ts'
import { errorOf } from '../thrown.ts'
import { connectApart, type Db } from './db.ts'

interface Index {
  name: string
  statement: string
}

/** The number of an advisory lock that nothing else in Deskbell uses. */
export const migrationLockId = 4_873_002_035

/** Milliseconds between two checks. */
const pollIntervalMs = 500

export const isConcurrent = (text: string): boolean => /\bindex\s+concurrently\b/i.test(withoutComments(text))

/** The same statements for empty tables, so that they can run in a transaction. */
export const isTransactional = (text: string): string =>
  isConcurrent(text) ? text.replace(/\bindex\s+concurrently\b/gi, 'index') : text

const withoutComments = (text: string) => text.replace(/--.*/g, '')

function readIndexes(text: string): Index[] {
  const statements = withoutComments(text).split(';')
  return statements.flatMap(one => (one.trim() ? [readIndex(one.trim())] : []))
}

function readIndex(statement: string): Index {
  const name = /^create\s+(?:unique\s+)?index\s+concurrently\s+(\w+)\s+on\s/i.exec(statement)?.[1]
  if (name && name !== 'if') return { name, statement }
  throw new SetupError(
    `A migration with "create index concurrently" must contain nothing else; move this statement to another migration: ${statement}`,
  )
}

/** Builds the indexes of a migration while others write. `own` is a single connection; the progress is queried over `db`. */
export async function buildIndexes(own: Db, db: Db, log: Log, text: string, every = 5_000): Promise<void> {
  const indexes = readIndexes(text)
  await underLock(db, log, async () => {
    for (const index of indexes) await buildIndex(own, db, log, index, every)
  })
}

/**
 * Only one process builds at a time. The lock belongs to a transaction that holds no snapshot, because a build waits for
 * snapshots. A session lock would not do: behind PgBouncer in transaction mode it could stay at a connection that by then serves others.
 */
async function underLock(db: Db, log: Log, work: () => Promise<void>): Promise<void> {
  const beside = connectApart(db, { max: 1 })
  let isLogged = false
  try {
    while (!(await tryUnderLock(beside, work))) {
      if (!isLogged)
        log.info('Another process is building the indexes of this version; waiting until it has finished')
      isLogged = true
      await sleep(pollIntervalMs)
    }
  } finally {
    await beside.end()
  }
}

/**
 * False if another process has the lock. Then the transaction ends, and the next attempt uses a new one. A build waits for every
 * transaction that it has seen with a snapshot, so a transaction that waits for the lock would cause a deadlock. For the same
 * reason, the query uses the simple protocol, which leaves no portal open.
 */
const tryUnderLock = (beside: Db, work: () => Promise<void>): Promise<boolean> =>
  beside.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    const statement = `select pg_try_advisory_xact_lock(${migrationLockId}) as is_ours`
    const [answer] = await tx.unsafe<{ is_ours: boolean }[]>(statement)
    if (answer!.is_ours) await work()
    return answer!.is_ours
  })

/** Waits for a build that the database continues after its process was killed. */
async function awaitBuild(own: Db, log: Log, name: string): Promise<void> {
  const isBuilt = async () =>
    (await own`select from pg_stat_progress_create_index where index_relid = to_regclass(${name})`).length > 0
  if (!(await isBuilt())) return
  log.info(`The database is still building the index ${name} for a process that has ended; waiting for it`)
  while (await isBuilt()) await sleep(pollIntervalMs)
}

async function buildIndex(own: Db, db: Db, log: Log, index: Index, every: number): Promise<void> {
  const timer = setInterval(() => logProgress(db, log, index.name).catch(() => {}), every)
  try {
    await awaitBuild(own, log, index.name)
    await createIndex(own, index)
  } finally {
    clearInterval(timer)
  }
}

async function createIndex(own: Db, { name, statement }: Index): Promise<void> {
  const [found] = await own`select indisvalid from pg_index where indexrelid = to_regclass(${name})`
  if (found?.indisvalid) return
  try {
    // An interrupted build leaves an invalid index.
    if (found) await own.unsafe(`drop index concurrently ${name}`)
    await own.unsafe(statement)
  } catch (error) {
    throw new SetupError(
      `The index ${name} could not be built: ${errorOf(error).message}; no row was changed; start Deskbell again to build the index again`,
    )
  }
}

async function logProgress(db: Db, log: Log, name: string): Promise<void> {
  const [at] = await db`
    select phase, blocks_done, blocks_total, tuples_done, tuples_total, current_locker_pid
    from pg_stat_progress_create_index where index_relid = to_regclass(${name})`
  if (at) log.info({ progress: at }, `Building the index ${name}: ${at.phase}`)
}
