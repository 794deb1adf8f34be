import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type Db } from '../src/core/db/db.ts'
import { freePort } from './free-port.ts'
import { makeFolder } from './run/program.ts'
import { until } from './until.ts'

/** The Debian path of the oldest supported PostgreSQL. */
const programs = '/usr/lib/postgresql/15/bin'
export const pairNeeds = `${programs}/pg_basebackup`

/** PostgreSQL refuses to run as root. */
const owner = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

type Context = { after(run: () => unknown): void }

const user = 'desk'
export const urlOf = (...ports: number[]): string =>
  `postgres://${user}@${ports.map(port => `127.0.0.1:${port}`).join()}/postgres`

const runProgram = (name: string, ...args: string[]) =>
  execFileSync(join(programs, name), args, { ...owner, cwd: '/', stdio: ['ignore', 'ignore', 'inherit'] })

export interface Node {
  port: number
  folder: string
  /** A pool for this node, whether it is the primary or not. */
  db: Db
  start(options?: Record<string, string>): Promise<void>
  stop(): Promise<void>
}

async function makeNode(context: Context): Promise<Node> {
  const folder = makeFolder(context)
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid)
  const port = await freePort()
  const db = connect({ url: `${urlOf(port)}?target_session_attrs=any` }, { max: 2 })
  let child: ChildProcess | null = null
  const stop = async () => {
    child?.kill('SIGINT')
    if (child && child.exitCode === null) await once(child, 'exit')
    child = null
  }
  context.after(async () => {
    await db.end({ timeout: 1 })
    await stop()
  })
  const start = async (options: Record<string, string> = {}) => {
    const settings = {
      port: String(port),
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      fsync: 'off',
      shared_buffers: '16MB',
      log_min_messages: 'fatal',
      ...options,
    }
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const stdio = ['ignore', 'ignore', 'ignore'] as const
    child = spawn(join(programs, 'postgres'), ['-D', join(folder, 'data'), ...args], {
      ...owner,
      cwd: '/',
      stdio: [...stdio],
    })
    const own = child
    process.once('exit', () => own.kill('SIGKILL'))
    await until(() => db`select 1`.then(Boolean, () => false))
  }
  return { port, folder, db, start, stop }
}

const follow = (node: Node, { port }: Node) => {
  writeFileSync(join(node.folder, 'data/standby.signal'), '')
  return node.start({ primary_conninfo: `host=127.0.0.1 port=${port} user=${user}` })
}

export interface Pair {
  primary: Node
  standby: Node
  /** Promotes the standby, and makes the old primary its standby. No write is lost. */
  switchOver(): Promise<void>
}

/** Starts a primary and its standby with streaming replication. */
export async function startPair(context: Context): Promise<Pair> {
  const [primary, standby] = [await makeNode(context), await makeNode(context)]
  runProgram(
    'initdb',
    '-D',
    join(primary.folder, 'data'),
    '-U',
    user,
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--no-locale',
    '-N',
  )
  await primary.start()
  const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', user]
  runProgram('pg_basebackup', ...from, '-D', join(standby.folder, 'data'), '-c', 'fast', '-N')
  await follow(standby, primary)
  await until(
    async () => (await primary.db`select from pg_stat_replication where state = 'streaming'`).length,
  )
  return {
    primary,
    standby,
    async switchOver() {
      // The primary stops once its standby has received everything.
      await primary.stop()
      await standby.db`select pg_promote()`
      await follow(primary, standby)
    },
  }
}
