import { SetupError } from '../core/config/setup-error.ts'
import { type Db, type Sql, withoutTimeout } from '../core/db/db.ts'

export interface StallWatch {
  /** Called when bytes were read or written. */
  hear(): void
  /** Sets the connection whose activity is checked in the database. */
  follow(sql: Sql): Promise<void>
}

const stallTimeoutMs = 60_000

async function isAtWork(db: Db, pid: number): Promise<boolean> {
  const [row] = await db`
    select from pg_stat_activity
    where pid = ${pid} and state = 'active' and wait_event_type is distinct from 'Client'
      and wait_event_type is distinct from 'Lock'`
  return row !== undefined
}

/** Runs work of any duration on a separate connection, but aborts it if it stalls, so that its snapshot is not held for ever. */
export async function withStallTimeout<T>(
  db: Db,
  work: (own: Db, watch: StallWatch) => Promise<T>,
  longest = stallTimeoutMs,
): Promise<T> {
  let [heard, pid, isSilent] = [performance.now(), 0, false]
  const hear = () => {
    heard = performance.now()
  }
  const follow = async (sql: Sql) => {
    pid = (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]!.pid
  }
  return withoutTimeout(db, async own => {
    const look = async () => {
      if (await isAtWork(db, pid).catch(() => false)) hear()
      if (performance.now() - heard < longest) return
      isSilent = true
      await own.end({ timeout: 0 })
    }
    const timer = setInterval(look, longest / 6)
    try {
      return await work(own, { hear, follow })
    } catch (error) {
      throw isSilent ? tellSilence(longest) : error
    } finally {
      clearInterval(timer)
    }
  })
}

const tellSilence = (longest: number): SetupError =>
  new SetupError(
    `The database has not responded for ${longest / 1_000} s; check the database, locks on its tables and the disk, then try again`,
  )
