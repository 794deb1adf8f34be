import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { searchPath } from '../../src/core/config/config.ts'
import { connect, type DatabaseTarget } from '../../src/core/db/db.ts'
import { freePort } from '../../test/free-port.ts'
import { makeFolder } from '../../test/run/program.ts'
import { until } from '../../test/until.ts'

/** Registers what must be stopped at the end. */
export interface Context {
  after(run: () => unknown): void
}

/** Debian's folder of the newest PostgreSQL server, at least version 15. */
const findFolder = (): string | undefined =>
  globSync('/usr/lib/postgresql/*/bin')
    .sort((a, b) => versionOf(a) - versionOf(b))
    .filter(folder => versionOf(folder) >= 15 && existsSync(join(folder, 'initdb')))
    .at(-1)

const versionOf = (folder: string): number => Number(folder.split('/').at(-2))

const isMissing = (program: string): boolean =>
  !searchPath.split(delimiter).some(folder => existsSync(join(folder, program)))

/** One sentence about missing programs, or null. */
export function describeMissing(): string | null {
  const missing = ['nginx', 'pgbouncer', 'redis-server'].filter(isMissing)
  if (!findFolder()) missing.push('postgresql')
  return missing.length
    ? `bin/bench cluster needs ${missing.join(', ')}; on Debian: apt-get install ${missing.join(' ')}`
    : null
}

/** Postgres refuses to run as root. */
const other = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

/** Starts Debian's PostgreSQL, as in an installation on several machines. */
export async function startPostgres(context: Context): Promise<DatabaseTarget & { version: number }> {
  const programs = findFolder()!
  const folder = makeFolder(context)
  if (other.uid) chownSync(folder, other.uid, other.gid)
  const data = join(folder, 'data')
  const options = ['-U', 'deskbell', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8']
  execFileSync(join(programs, 'initdb'), ['-D', data, ...options], { ...other, cwd: '/', stdio: 'ignore' })
  const port = await freePort()
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=300',
  ]
  const args = ['-D', data, ...settings.flatMap(setting => ['-c', setting])]
  const child = spawn(join(programs, 'postgres'), args, { ...other, cwd: '/', stdio: 'ignore' })
  process.once('exit', () => child.kill('SIGKILL'))
  // As docs/operations.md recommends for a PostgreSQL on the same machine as Deskbell.
  spawnSync('chrt', ['-b', '-p', '0', String(child.pid)], { stdio: 'ignore' })
  context.after(async () => {
    if (child.exitCode !== null) return
    child.kill('SIGINT')
    await once(child, 'exit')
  })
  const server = { host: '127.0.0.1', port, user: 'deskbell' }
  const db = connect({ ...server, database: 'postgres' }, { max: 1 })
  await until(() => db`select 1`.catch(() => null))
  await db`create database deskbell template template0`
  await db.end()
  return { ...server, database: 'deskbell', version: versionOf(programs) }
}
