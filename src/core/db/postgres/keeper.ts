import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { commandOf, type ProgramCall, type SystemAccount } from './account.ts'
import { postgresEnvironment } from './cluster.ts'
import { keeperName } from './running.ts'
import { ownerFile } from './sockets.ts'

/** `smart` lets other clients finish first, `fast` disconnects them. */
export type StopMode = 'smart' | 'fast'

// This process holds the other end of descriptor 3. When it ends, even by kill -9, the descriptor closes and the shell stops
// Postgres. Only then is the socket folder removed: as long as this process lives, it connects there, so no other process may
// take the name. On Linux, Postgres runs under SCHED_BATCH. Otherwise, each statement that we send would let Postgres preempt us,
// and the next statements would be sent one by one: decision 34.
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

/** Starts the server under a small shell process, which outlives this process just long enough to stop the server. */
export function spawnKeeper(
  server: string[],
  socketDir: string,
  account: SystemAccount,
  logFile: string,
): ChildProcess {
  const command: ProgramCall = ['sh', '-c', script, keeperName, socketDir, ...server]
  const [program, args] = commandOf(account.prefix, command)
  const output = openSync(logFile, 'a', 0o600)
  const keeper = spawn(program, args, {
    uid: account.uid,
    gid: account.gid,
    cwd: '/',
    env: postgresEnvironment(),
    // In a separate session, so that Ctrl-C in a terminal does not reach Postgres while requests are in progress.
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

/** A fast shutdown with a checkpoint; after 15 s without one; after another 5 s by force. */
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
    // It has already ended.
  }
}
