import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SystemAccount } from './account.ts'
import { postgresEnvironment } from './cluster.ts'
import { keeperName } from './running.ts'
import { ownerFile } from './sockets.ts'

/** `smart` first lets other clients finish, `fast` cuts them off. */
export type StopMode = 'smart' | 'fast'

// We hold the other end of descriptor 3: it closes at our death, a kill -9 included, and Postgres goes down. Only then
// does the socket folder go too: while we live we connect there, so nobody else may get its name.
// Postgres gets its time without interrupting whoever wakes it (SCHED_BATCH, Linux): by default each statement that we
// send takes the processor from us, and the next are sent one by one. See docs/decisions/0034.
const script = `
sockets=$1
shift
chrt -b -p 0 $$ 2>/dev/null
trap 'alone=yes' USR1
"$@" 3<&- &
postgres=$!
{ read -r _ <&3; kill -USR1 $$; kill -INT $postgres; sleep 15; kill -QUIT $postgres; sleep 5; kill -KILL $postgres; } 2>/dev/null &
watcher=$!
# The signal ends the first wait.
wait $postgres
wait $postgres 2>/dev/null
kill $watcher 2>/dev/null
[ -z "$alone" ] || { rm -f "$sockets/${ownerFile}"; rmdir "$sockets"; } 2>/dev/null`

/** Starts the server under a small shell that outlives us just long enough to stop it. */
export function spawnKeeper(
  server: string[],
  socketDir: string,
  account: SystemAccount,
  logFile: string,
): ChildProcess {
  const [program, ...args] = [...account.prefix, 'sh', '-c', script, keeperName, socketDir, ...server] as [
    string,
  ]
  const output = openSync(logFile, 'a', 0o600)
  const keeper = spawn(program, args, {
    uid: account.uid,
    gid: account.gid,
    cwd: '/',
    env: postgresEnvironment(),
    // A session of its own: a terminal's Ctrl-C must not reach Postgres while requests are under way.
    detached: true,
    stdio: ['ignore', output, output, 'pipe'],
  })
  closeSync(output)
  keeper.stdio[3]?.on('error', () => {})
  return keeper
}

export const hasEnded = (keeper: ChildProcess): boolean =>
  keeper.exitCode !== null || keeper.signalCode !== null

export async function waitForEnd(keeper: ChildProcess): Promise<void> {
  if (!hasEnded(keeper)) await once(keeper, 'exit')
}

/** Fast shutdown with a checkpoint; after 15 s without one, after 5 s more by force. */
export async function endServer(
  keeper: ChildProcess,
  postmaster: number | undefined,
  mode: StopMode,
): Promise<void> {
  if (mode === 'smart' && postmaster) {
    signal(postmaster, 'SIGTERM')
    if (await endsWithin(keeper, 10_000)) return
  }
  const line = keeper.stdio[3] as Socket
  line.destroy()
  if (await endsWithin(keeper, 15_000)) return
  if (postmaster) signal(postmaster, 'SIGQUIT')
  if (await endsWithin(keeper, 5_000)) return
  signal(-keeper.pid!, 'SIGKILL')
}

async function endsWithin(keeper: ChildProcess, milliseconds: number): Promise<boolean> {
  const timer = new AbortController()
  const late = sleep(milliseconds, undefined, { signal: timer.signal }).catch(() => {})
  await Promise.race([waitForEnd(keeper), late])
  timer.abort()
  return hasEnded(keeper)
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has gone already.
  }
}
