import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { chooseSystemAccount } from '../../src/core/db/postgres/account.ts'
import { until } from '../until.ts'
import {
  deskbell,
  isAlive,
  makeDataDir,
  type Program,
  postmasterOf,
  socketDirOf,
  spawnServer,
  startServer,
  stopServer,
} from './program.ts'

interface Family {
  postmaster: number
  keepers: number[]
  all: number[]
}

/** The server, the shells that watch its Postgres, Postgres itself and its children. */
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

test('stops Postgres after kill -9 of the server', async context => {
  const DATA_DIR = makeDataDir(context)
  const server = await startServer(context, { DATA_DIR })
  const postmaster = postmasterOf(DATA_DIR)
  await stopServer(server, 'SIGKILL')
  await until(() => !isAlive(postmaster))
  await until(() => !fs.existsSync(join(DATA_DIR, 'postgres/postmaster.pid')))
})

test('a start right after kill -9 of the server waits for its Postgres, and recovers', async context => {
  const DATA_DIR = makeDataDir(context)
  await stopServer(await startServer(context, { DATA_DIR }), 'SIGKILL')
  const next = await startServer(context, { DATA_DIR })
  assert.doesNotMatch(next.stdout, /first-access/)
  await stopServer(next)
})

test('the next start recovers and cleans up after kill -9 of everything', async context => {
  const DATA_DIR = makeDataDir(context)
  const server = await startServer(context, { DATA_DIR })
  const sockets = socketDirOf(DATA_DIR)
  killAll(listFamily(server, DATA_DIR).all)
  await server.ended
  const next = await startServer(context, { DATA_DIR })
  assert.doesNotMatch(next.stdout, /first-access/)
  assert.equal(fs.existsSync(sockets), false)
  await stopServer(next)
})

test('the next start stops a Postgres whose watching shells were killed too', async context => {
  const DATA_DIR = makeDataDir(context)
  const server = await startServer(context, { DATA_DIR })
  const sockets = socketDirOf(DATA_DIR)
  const { postmaster, keepers } = listFamily(server, DATA_DIR)
  killAll([...keepers, server.child.pid!])
  await server.ended
  assert.ok(isAlive(postmaster))
  const next = await startServer(context, { DATA_DIR })
  assert.notEqual(postmasterOf(DATA_DIR), postmaster)
  assert.equal(fs.existsSync(sockets), false)
  await stopServer(next)
})

/** A folder with a file in it that belongs to Postgres's user, as its own socket folders do. */
function makeOwnedFolder(context: TestContext, dataDir: string, prefix: string) {
  const folder = fs.mkdtempSync(join(tmpdir(), prefix))
  context.after(() => fs.rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'file')
  fs.writeFileSync(file, '')
  const { uid, gid } = fs.statSync(join(dataDir, 'postgres'))
  fs.chownSync(folder, uid, gid)
  return { folder, file }
}

for (const data of ['absolute', '.']) {
  test(`leaves a Postgres that an admin started (${data} path) and its folder alone`, async context => {
    const DATA_DIR = makeDataDir(context)
    await stopServer(await startServer(context, { DATA_DIR }))
    const { folder, file } = makeOwnedFolder(context, DATA_DIR, 'admins-')
    const { account, binaries } = chooseSystemAccount(DATA_DIR)
    const cwd = join(DATA_DIR, 'postgres')
    const command = [...account.prefix, binaries.postgres, '-D', data === '.' ? data : cwd, '-k', folder]
    const { uid, gid } = account
    const admins = spawn(command[0]!, command.slice(1), { uid, gid, cwd, env: {}, stdio: 'ignore' })
    context.after(() => void admins.kill('SIGKILL'))
    await until(() => fs.existsSync(join(folder, '.s.PGSQL.5432')) && postmasterOf(DATA_DIR) === admins.pid)
    const { status, stderr } = await spawnServer(context, { DATA_DIR }).ended
    assert.equal(status, 1)
    assert.match(stderr, new RegExp(`^DATA_DIR: .*\\(process ${admins.pid}\\).*\\n$`))
    assert.match((await deskbell({ DATA_DIR }, 'project', 'list')).stderr, /DATA_DIR: .*did not start/)
    assert.ok(isAlive(admins.pid!) && fs.existsSync(file))
  })
}

test("deletes only Postgres's own files in the socket folder that a stale lock names", async context => {
  const DATA_DIR = makeDataDir(context)
  const server = await startServer(context, { DATA_DIR })
  const { folder, file } = makeOwnedFolder(context, DATA_DIR, 'deskbell-')
  const sockets = socketDirOf(DATA_DIR)
  killAll(listFamily(server, DATA_DIR).all)
  await server.ended
  const lock = join(DATA_DIR, 'postgres/postmaster.pid')
  fs.writeFileSync(lock, fs.readFileSync(lock, 'utf8').replace(sockets, folder))
  await stopServer(await startServer(context, { DATA_DIR }))
  fs.rmSync(sockets, { recursive: true, force: true })
  assert.ok(fs.existsSync(file))
})
