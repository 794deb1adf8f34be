import { execFile } from 'node:child_process'
import { readEnvironment } from './core/config.ts'
import type { Log } from './core/log.ts'
import type { Readiness } from './readiness.ts'

/** Milliseconds. */
const commandTimeout = 5_000

/** By a program of systemd itself, because Node.js sends no datagrams to Unix sockets. */
const send = (state: string, log: Log): Promise<void> =>
  new Promise(resolve =>
    execFile('systemd-notify', [state], { timeout: commandTimeout }, error => {
      if (error) log.error({ err: error }, `systemd was not told ${state}`)
      resolve()
    }),
  )

/** A database that answers and takes no writes would not take them from a new process either. */
async function databaseAnswers({ findReason }: Readiness): Promise<boolean> {
  const reason = await findReason()
  return reason !== 'database_unreachable' && reason !== 'database_busy'
}

/** Under systemd with `Type=notify`: says that requests can be served, and shows that they still can be until `stop`. */
export async function notifySystemd(readiness: Readiness, log: Log) {
  const { NOTIFY_SOCKET, WATCHDOG_USEC } = readEnvironment()
  if (!NOTIFY_SOCKET) return { stop: async () => {} }
  // Three signs of life in the time after which it restarts the process; none where it waits for none.
  const interval = Number(WATCHDOG_USEC ?? 0) / 1_000 / 3
  await send('READY=1', log)
  const showLife = async () => {
    if (await databaseAnswers(readiness)) await send('WATCHDOG=1', log)
  }
  const timer = interval > 0 && setInterval(() => void showLife(), interval)
  return {
    async stop() {
      if (timer) clearInterval(timer)
      await send('STOPPING=1', log)
    },
  }
}
