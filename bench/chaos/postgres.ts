import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, globSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Db } from '../../src/core/db/db.ts'
import type { Running } from '../../src/core/db/postgres/running.ts'
import { findPostgres } from '../../src/core/db/postgres.ts'
import { endWithUs, stop } from '../children.ts'

/** Debian's PostgreSQL, the oldest version if there are several, because it has the fewest features. */
export const programs = globSync('/usr/lib/postgresql/*/bin').sort()[0] ?? '/usr/lib/postgresql/15/bin'

/** Deskbell's database, and its faults. */
export interface Database {
  /** The port on 127.0.0.1; null for the embedded one. */
  port: number | null
  /** Uses a connection that network faults do not affect. */
  withDb<T>(act: (db: Db) => Promise<T>): Promise<T>
  /** Stops it like `pg_ctl stop -m immediate`, and starts it again after a pause in milliseconds. */
  crash(pause: number): Promise<void>
  /** Restarts it if it has crashed, and waits until it accepts connections. */
  revive(): Promise<void>
  stop(): Promise<void>
}

/** Postgres refuses to run as root, so root uses the account `postgres` or `nobody`. */
function findAccount(): { uid?: number; gid?: number } {
  if (process.getuid!() !== 0) return {}
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? []
  return { uid: Number(uid ?? 65534), gid: Number(gid ?? 65534) }
}

async function isAccepting(open: () => Db): Promise<boolean> {
  const db = open()
  const answer = await db`select 1`.then(
    () => true,
    () => false,
  )
  await db.end({ timeout: 0 }).catch(() => {})
  return answer
}

async function untilAccepting(open: () => Db): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!(await isAccepting(open))) {
    if (performance.now() > deadline) throw new Error('Postgres takes no connections after 60 s; see its log')
    await sleep(20)
  }
}

const settings = (port: number) => ({
  ...{ port, listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: 200 },
  // Small enough for a small file system.
  ...{ max_wal_size: '128MB', min_wal_size: '32MB', shared_buffers: '64MB', log_min_messages: 'fatal' },
})

/** Starts Debian's PostgreSQL in a separate folder, with its own clock if set in `environment`. */
export async function startExternal(
  folder: string,
  port: number,
  environment: Record<string, string>,
): Promise<Database> {
  const account = findAccount()
  mkdirSync(folder, { recursive: true })
  if (account.uid !== undefined) chownSync(folder, account.uid, account.gid!)
  const cluster = join(folder, 'cluster')
  const options = ['-U', 'deskbell', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8']
  execFileSync(join(programs, 'initdb'), ['-D', cluster, ...options], { ...account, cwd: '/', env: {} })
  const log = openSync(join(folder, 'log'), 'a')
  const words = Object.entries(settings(port)).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let child: ChildProcess
  const start = () => {
    child = spawn(join(programs, 'postgres'), ['-D', cluster, ...words], {
      ...{ ...account, cwd: '/', env: environment, stdio: ['ignore', log, log] },
    })
    endWithUs(child)
  }
  const open = () =>
    connect(
      { host: '127.0.0.1', port, user: 'deskbell', database: 'postgres' },
      { max: 1, statementTimeout: 0 },
    )
  const revive = async () => {
    if (child.exitCode !== null || child.signalCode !== null) start()
    await untilAccepting(open)
  }
  start()
  await untilAccepting(open)
  return {
    port,
    revive,
    withDb: async act => {
      const db = open()
      return act(db).finally(() => db.end({ timeout: 5 }))
    },
    async crash(pause) {
      const ended = once(child, 'exit')
      child.kill('SIGQUIT')
      await ended
      await sleep(pause)
      await revive()
    },
    stop: () => stop(child),
  }
}

async function untilRunning(dataDir: string): Promise<Running> {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; ) {
    const running = findPostgres(dataDir)
    if (running?.ready) return running
    await sleep(20)
  }
  throw new Error('The embedded Postgres is not ready after 60 s; see postgres.log')
}

/** The embedded Postgres, which Deskbell restarts itself. */
export function openEmbedded(dataDir: string): Database {
  const revive = async () => void (await untilRunning(dataDir))
  return {
    port: null,
    revive,
    async withDb(act) {
      const { connection } = await untilRunning(dataDir)
      const db = connect(connection, { max: 1, statementTimeout: 0 })
      return act(db).finally(() => db.end({ timeout: 5 }))
    },
    async crash() {
      const { pid } = await untilRunning(dataDir)
      process.kill(pid, 'SIGQUIT')
      while (existsSync(`/proc/${pid}`)) await sleep(10)
      await revive()
    },
    stop: async () => {},
  }
}
