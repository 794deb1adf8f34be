import { readFileSync } from 'node:fs'
import type { Config } from '../config/config.ts'
import { SetupError } from '../config/setup-error.ts'

/** Open files for everything except waiting calls and tabs: other connections, the database, deliveries, files. */
const reservedFiles = 1_000

/** How many files this process may open; null if unknown. Node.js raises the soft limit to the hard one. */
function findLimit(): number | null {
  try {
    const [, hard] = /^Max open files\s+\S+\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return hard ? Number(hard) : null
  } catch {
    return null
  }
}

/** Every waiting call and open tab holds a connection. If no more files can be opened, all other callers are refused too. */
export function describeOpenFiles({
  waitingPerProcess,
  tabsPerProcess,
}: Pick<Config, 'waitingPerProcess' | 'tabsPerProcess'>): string {
  const limit = findLimit()
  const needed = waitingPerProcess + tabsPerProcess + reservedFiles
  if (limit === null || limit >= needed) return `the limit is ${limit ?? 'off'}`
  throw new SetupError(
    `this process may open ${limit} files, and ${waitingPerProcess} waiting calls with ${tabsPerProcess} open tabs need ${needed}; raise the limit (ulimit -n ${needed}, or LimitNOFILE= of the service unit) or lower UPDATES_WAITING_PER_PROCESS and LIVE_TABS_PER_PROCESS`,
  )
}
