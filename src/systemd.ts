import { execFile } from 'node:child_process'
import { readEnvironment } from './core/config/config.ts'
import type { Log } from './core/telemetry/log.ts'
import type { Readiness } from './readiness.ts'

/** Milliseconds. */
const commandTimeout = 5_000

/** Uses a program of systemd, because Node.js cannot send datagrams to Unix sockets. */
const send = (state: string, log: Log): Promise<void> =>
  new Promise(resolve =>
    execFile('systemd-notify', [state], { timeout: commandTimeout }, error => {
      if (error) log.error({ err: error }, `Could not report ${state} to systemd`)
      resolve()
    }),
  )

/** Whether the database responds. If it responds but refuses writes, restarting the process would not help. */
async function databaseAnswers({ findReason }: Readiness): Promise<boolean> {
  const reason = await findReason()
  return reason !== 'database_unreachable' && reason !== 'database_busy'
}

/** Under systemd with `Type=notify`, reports that the process is ready, and then regular signs of life until `stop`. */
export async function notifySystemd(readiness: Readiness, log: Log) {
  const { NOTIFY_SOCKET, WATCHDOG_USEC } = readEnvironment()
  if (!NOTIFY_SOCKET) return { stop: async () => {} }
  // Three signs of life per watchdog timeout; none if the watchdog is off.
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
