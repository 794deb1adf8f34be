import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  deskbell,
  freePort,
  isAlive,
  makeFolder,
  type Program,
  postmasterOf,
  socketDirOf,
  spawnServer,
  startServer,
  statusOf,
  stopServer,
  until,
} from './program.ts'

interface Family {
  postmaster: number
  keepers: number[]
  all: number[]
}

/** The server, the shells that keep its Postgres, Postgres itself and its children. */
function listFamily(server: Program, dataDir: string): Family {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const processes = lines.map(line => line.trim().split(/\s+/).map(Number) as [number, number])
  const childrenOf = (parent: number) => processes.filter(([, ppid]) => ppid === parent).map(([pid]) => pid)
  const postmaster = postmasterOf(dataDir)
  const keeper = processes.find(([pid]) => pid === postmaster)![1]
  const keepers = [keeper, ...childrenOf(keeper).filter(pid => pid !== postmaster)]
  return { postmaster, keepers, all: [server.child.pid!, ...keepers, postmaster, ...childrenOf(postmaster)] }
}

const killAll = (pids: number[]) => {
  for (const pid of pids) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
}

test('after kill -9 of the server Postgres does not linger', async context => {
  const DATA_DIR = makeFolder(context)
  const server = await startServer(context, { DATA_DIR })
  const postmaster = postmasterOf(DATA_DIR)
  await stopServer(server, 'SIGKILL')
  await until(() => !isAlive(postmaster))
  await until(() => !existsSync(join(DATA_DIR, 'postgres/postmaster.pid')))
})

test('a start right after kill -9 of the server waits for its Postgres and recovers', async context => {
  const DATA_DIR = makeFolder(context)
  await stopServer(await startServer(context, { DATA_DIR }), 'SIGKILL')
  const next = await startServer(context, { DATA_DIR })
  assert.doesNotMatch(next.stdout, /sk_/)
  await stopServer(next)
})

test('after kill -9 of everything the next start recovers and clears the traces', async context => {
  const DATA_DIR = makeFolder(context)
  const server = await startServer(context, { DATA_DIR })
  const sockets = socketDirOf(DATA_DIR)
  killAll(listFamily(server, DATA_DIR).all)
  await server.ended
  const next = await startServer(context, { DATA_DIR })
  assert.doesNotMatch(next.stdout, /sk_/)
  assert.equal(existsSync(sockets), false)
  await stopServer(next)
})

test('a Postgres whose keepers were killed too is stopped by the next start', async context => {
  const DATA_DIR = makeFolder(context)
  const server = await startServer(context, { DATA_DIR })
  const sockets = socketDirOf(DATA_DIR)
  const { postmaster, keepers } = listFamily(server, DATA_DIR)
  killAll([...keepers, server.child.pid!])
  await server.ended
  assert.ok(isAlive(postmaster))
  const next = await startServer(context, { DATA_DIR })
  assert.notEqual(postmasterOf(DATA_DIR), postmaster)
  assert.equal(existsSync(sockets), false)
  await stopServer(next)
})

test('kill -9 in the middle of the first start leaves nothing in the way of the next', async context => {
  const DATA_DIR = makeFolder(context)
  const port = await freePort()
  const server = spawnServer(context, { DATA_DIR, PORT: String(port) })
  await until(() => readdirSync(DATA_DIR).some(name => name.startsWith('postgres.new-')))
  await stopServer(server, 'SIGKILL')
  const next = await startServer(context, { DATA_DIR })
  await stopServer(next)
  assert.deepEqual(readdirSync(DATA_DIR).sort(), ['postgres', 'postgres.log', 'secret.key'])
})

test('when Postgres goes away the server lives on, says so, and is ready again once it is back', async context => {
  const DATA_DIR = makeFolder(context)
  const server = await startServer(context, { DATA_DIR, LOG_LEVEL: 'silent' })
  process.kill(postmasterOf(DATA_DIR), 'SIGKILL')
  await until(async () => (await statusOf(`${server.url}/readyz`)) === 503)
  assert.equal(await statusOf(`${server.url}/healthz`), 200)
  await until(async () => (await statusOf(`${server.url}/readyz`)) === 200)
  assert.equal((await deskbell({ DATA_DIR }, 'project', 'list')).status, 0)
  assert.equal((await stopServer(server)).status, 0)
})
