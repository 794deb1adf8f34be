import type { Db, Sql } from './db/db.ts'
import type { Log } from './telemetry/log.ts'
import { metric } from './telemetry/metrics.ts'
import { currentTime, shiftTime } from './time.ts'

/** Several processes write times into one database: a process whose clock is wrong uses the database's time. */

/** Milliseconds. */
const intervalMs = 60_000

/** Milliseconds by which clocks may differ. NTP corrects differences of this size on its own. */
const maxDifference = 2_000

/** Milliseconds by which the database's clock is ahead of this machine's (negative: behind it); 0 while they agree. */
export async function measureClock(db: Sql): Promise<number> {
  const asked = Date.now()
  const shown = await readClock(db)
  // The database read its clock at some moment between request and response, so a slow response makes no difference.
  const difference = shown - Math.min(Math.max(shown, asked), Date.now())
  return Math.abs(difference) > maxDifference ? Math.round(difference) : 0
}

/** The clock of the database, in milliseconds since 1970. */
export async function readClock(sql: Sql): Promise<number> {
  const [row] = await sql<{ ms: number }[]>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`
  return row!.ms
}

const units = { days: 86_400, hours: 3_600, minutes: 60, seconds: 1 }

/** How far the clock of this machine is off, such as `3 days behind`. */
export function describeDifference(milliseconds: number): string {
  const seconds = Math.abs(milliseconds) / 1_000
  const [unit, size] = Object.entries(units).find(([, size]) => seconds >= 2 * size) ?? ['seconds', 1]
  return `${Math.round(seconds / size)} ${unit} ${milliseconds > 0 ? 'behind' : 'ahead of'}`
}

/** What a difference causes, and how to fix it. */
export const clockRemedy =
  'Until this is corrected, the server uses the time of the database, except for sessions and its log. Set both clocks with NTP (timedatectl set-ntp true)'

let measured: number | null = null

metric(
  'deskbell_clock_difference_seconds',
  'Difference between the clocks of this machine and of the database in seconds; 0 if it is below 2',
  () => (measured === null ? [] : [{ value: Math.abs(measured) / 1_000 }]),
)

/** Uses the database's time whenever the clocks differ; compares them each minute until it is stopped. */
export async function followDatabaseClock(db: Db, log: Log): Promise<{ stop(): Promise<void> }> {
  let taken = 0
  const compare = async () => {
    measured = await measureClock(db)
    // A smaller change between two measurements is noise.
    if (Math.abs(measured - taken) <= maxDifference) return
    taken = measured
    shiftTime(taken)
    if (taken) warn(log, taken)
    else log.info('The clocks of this machine and of the database agree again')
  }
  await compare()
  let comparing = Promise.resolve()
  const timer = setInterval(() => {
    comparing = comparing.then(compare).catch(() => {
      // /readyz reports a database that does not respond.
    })
  }, intervalMs).unref()
  return {
    async stop() {
      clearInterval(timer)
      await comparing
      measured = null
      shiftTime(0)
    },
  }
}

const warn = (log: Log, difference: number): void =>
  log.warn(
    { seconds: difference / 1_000, time: new Date(currentTime()).toISOString() },
    `The clock of this machine is ${describeDifference(difference)} the database. ${clockRemedy}`,
  )
