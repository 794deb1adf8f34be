import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from './db.ts'
import type { Log } from './log.ts'
import { SetupError } from './setup-error.ts'

interface Index {
  name: string
  statement: string
}

/** Any number that nothing else of Deskbell locks. */
const lockKey = 4_873_002_035

export const isConcurrent = (text: string): boolean => /\bindex\s+concurrently\b/i.test(withoutComments(text))

/** For empty tables: the same indexes, in a transaction. */
export const inTransaction = (text: string): string =>
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
    `A migration with "create index concurrently" may have nothing else in it; put this statement into another one: ${statement}`,
  )
}

/** Builds the indexes of a migration while others write; `own` is one connection, `db` says how far it is. */
export async function buildIndexes(own: Db, db: Db, log: Log, text: string, every = 5_000): Promise<void> {
  try {
    for (const index of readIndexes(text)) {
      await takeLock(own, log)
      await buildIndex(own, db, log, index, every)
    }
  } finally {
    // A connection that was lost has no lock any longer.
    await own`select pg_advisory_unlock_all()`.catch(() => {})
  }
}

/** Asks again and again: a statement that waited would hold a snapshot, for which the build in turn would wait. */
async function takeLock(own: Db, log: Log): Promise<void> {
  const ask = async () => (await own`select pg_try_advisory_lock(${lockKey}) as is_ours`)[0]!.is_ours
  if (await ask()) return
  log.info('Another process builds indexes of this version; this one waits until they are complete')
  while (!(await ask())) await sleep(500)
}

async function buildIndex(own: Db, db: Db, log: Log, { name, statement }: Index, every: number) {
  const [found] = await own`
    select i.indisvalid as is_valid, pg_backend_pid() as pid
    from (select) as one left join pg_index i on i.indexrelid = to_regclass(${name})`
  if (found!.is_valid) return
  const timer = setInterval(() => tellProgress(db, log, name, found!.pid).catch(() => {}), every)
  try {
    // What a build that was interrupted left behind.
    if (found!.is_valid === false) await own.unsafe(`drop index concurrently ${name}`)
    await own.unsafe(statement)
  } catch (error) {
    throw new SetupError(
      `The index ${name} could not be built: ${(error as Error).message}; no row changed: start Deskbell again, and it builds the index again`,
    )
  } finally {
    clearInterval(timer)
  }
}

async function tellProgress(db: Db, log: Log, name: string, pid: number): Promise<void> {
  const [at] = await db`
    select phase, blocks_done, blocks_total, tuples_done, tuples_total, current_locker_pid
    from pg_stat_progress_create_index where pid = ${pid}`
  if (at) log.info({ progress: at }, `Building the index ${name}: ${at.phase}`)
}
