import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, statSync, writeFileSync } from 'node:fs'
import { connect as open } from 'node:net'
import { join } from 'node:path'
import { connect, type DatabaseTarget } from '../src/core/db/db.ts'
import { freePort } from './free-port.ts'
import { readExample } from './nginx.ts'
import { makeFolder } from './run/program.ts'
import { until } from './until.ts'

/**
 * PgBouncer refuses to run as root and must be able to open the database's socket, so it runs as the socket's
 * owner, or as nobody.
 */
function chooseOwner({ host }: DatabaseTarget): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const owner = host?.startsWith('/') ? statSync(host) : { uid: 65534, gid: 65534 }
  return { uid: owner.uid, gid: owner.gid }
}

/** The configuration of docs/pgbouncer.md for this database. */
const configOf = ({ host, port = 5432, user, database }: DatabaseTarget, own: number): string => `
[databases]
${database} = host=${host} port=${port} user=${user} dbname=${database}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 60
max_client_conn = 500
${readExample('pgbouncer.md', 'ini')}
`

/** Applies the settings that PgBouncer ignores to this database only. */
async function setRole(target: DatabaseTarget): Promise<void> {
  const db = connect(target, { max: 1 })
  const statements = readExample('pgbouncer.md', 'sql')
  await db.unsafe(
    statements.replaceAll('role deskbell', `role ${target.user} in database ${target.database}`),
  )
  await db.end()
}

const answers = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = open(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

/** Starts a PgBouncer in transaction mode in front of this database, and returns its DATABASE_URL. */
export async function startPgbouncer(
  context: { after(run: () => unknown): void },
  target: DatabaseTarget,
): Promise<string> {
  await setRole(target)
  const folder = makeFolder(context)
  const owner = chooseOwner(target)
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, configOf(target, port))
  if (owner.uid !== undefined) for (const path of [folder, file]) chownSync(path, owner.uid, owner.gid!)
  const child = spawn('pgbouncer', ['-q', file], {
    ...owner,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  context.after(async () => {
    if (child.exitCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  await until(() => {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended with status ${child.exitCode}`)
    return answers(port)
  })
  return `postgres://${target.user}@127.0.0.1:${port}/${target.database}?prepare=false`
}
