import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { chooseSystemAccount } from '../../src/core/db/postgres/account.ts'
import { until } from '../until.ts'
import { killAll, listProcessTree } from './process-tree.ts'
import {
  deskbell,
  isAlive,
  makeDataDir,
  postmasterOf,
  socketDirOf,
  spawnServer,
  startServer,
  stopServer,
} from './program.ts'

/** What a start leaves alone: a Postgres that an admin started, and files that are not Postgres's own. */

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
  killAll(listProcessTree(server, DATA_DIR).all)
  await server.ended
  const lock = join(DATA_DIR, 'postgres/postmaster.pid')
  fs.writeFileSync(lock, fs.readFileSync(lock, 'utf8').replace(sockets, folder))
  await stopServer(await startServer(context, { DATA_DIR }))
  fs.rmSync(sockets, { recursive: true, force: true })
  assert.ok(fs.existsSync(file))
})
