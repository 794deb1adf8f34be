import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readConfig } from '../../src/core/config/config.ts'
import { SetupError } from '../../src/core/config/setup-error.ts'
import type { DatabaseTarget } from '../../src/core/db/db.ts'
import { administrate } from '../database.ts'
import { until } from '../until.ts'
import {
  deskbell,
  makeDataDir,
  makeFolder,
  type Outcome,
  spawnServer,
  startServer,
  stopServer,
  untilReady,
} from './program.ts'

/** The exit status that tells a supervisor not to restart before a setting is corrected. */
const wrongSetting = 78

/** Checks for exactly one sentence that names the setting. */
function assertRefused({ status, stdout, stderr }: Outcome, setting: string, expected = wrongSetting): void {
  assert.equal(status, expected)
  assert.equal(stdout, '')
  assert.equal(stderr.trimEnd().split('\n').length, 1, stderr)
  assert.ok(stderr.startsWith(`${setting}: `), stderr)
  assert.doesNotMatch(stderr, /at .*:\d+:\d+/)
}

for (const [how, HOST, reusePort] of [
  ['', '127.0.0.1', false],
  [' even if the other program shares it', '127.0.0.1', process.platform === 'linux'],
  [' even if only one of all addresses is taken', '::', process.platform === 'linux'],
] as const)
  test(`refuses to start on a taken port, and names PORT${how}`, async context => {
    const taken = createServer().listen({ host: '127.0.0.1', port: 0, reusePort })
    context.after(() => taken.close())
    await once(taken, 'listening')
    const { port } = taken.address() as { port: number }
    const DATA_DIR = join(makeFolder(context), 'data')
    const outcome = await spawnServer(context, { DATA_DIR, HOST, PORT: String(port) }).ended
    assertRefused(outcome, 'PORT', 1)
    assert.match(outcome.stderr, new RegExp(String(port)))
    assert.ok(!existsSync(DATA_DIR), 'the folder was created')
  })

test('refuses a database of another major version of PostgreSQL, says how to move it, and leaves it unchanged', async context => {
  const DATA_DIR = join(makeFolder(context), 'data')
  mkdirSync(join(DATA_DIR, 'postgres'), { recursive: true })
  writeFileSync(join(DATA_DIR, 'postgres/PG_VERSION'), '17\n')
  const outcome = await spawnServer(context, { DATA_DIR }).ended
  assertRefused(outcome, 'DATA_DIR', 78)
  assert.match(
    outcome.stderr,
    /PostgreSQL 17 made the database .* comes with PostgreSQL 18.*deskbell restore FILE/,
  )
  assert.deepEqual(readdirSync(join(DATA_DIR, 'postgres')), ['PG_VERSION'])
})

test('refuses to start with a DATA_DIR that cannot be written to, and names it', async context => {
  const file = join(makeFolder(context), 'a file')
  writeFileSync(file, '')
  assertRefused(await spawnServer(context, { DATA_DIR: join(file, 'data') }).ended, 'DATA_DIR')
  assertRefused(await spawnServer(context, { DATA_DIR: '/proc/deskbell' }).ended, 'DATA_DIR')
  const outcome = await spawnServer(context, { DATA_DIR: file }).ended
  assertRefused(outcome, 'DATA_DIR')
  assert.match(outcome.stderr, /a file is not a folder/)
})

/** A database and a role without any rights in it, both deleted when the test ends. */
async function makeForeign(context: TestContext, options: string) {
  const server: DatabaseTarget = JSON.parse(process.env.DESKBELL_TEST_DATABASE!)
  const name = `foreign_${randomBytes(4).toString('hex')}`
  await administrate(server, `create role ${name} login`)
  await administrate(server, `create database ${name} ${options}`)
  context.after(async () => {
    await administrate(server, `drop database ${name} with (force)`)
    await administrate(server, `drop role ${name}`)
  })
  const urlOf = (user: string, database: string) =>
    `postgres://${user}@localhost/${database}?host=${server.host}&port=${server.port}`
  return { name, admin: server.user!, urlOf }
}

test('refuses a database that is missing, not in UTF-8 or closed to its role, and says what to do', async context => {
  const latin = await makeForeign(
    context,
    "encoding 'LATIN1' locale_provider libc locale 'C' template template0",
  )
  const refuse = async (DATABASE_URL: string) => {
    const outcome = await spawnServer(context, { DATA_DIR: makeFolder(context), DATABASE_URL }).ended
    assertRefused(outcome, 'DATABASE_URL', 1)
    return outcome.stderr
  }
  assert.match(
    await refuse(latin.urlOf(latin.admin, latin.name)),
    /LATIN1.*encoding 'UTF8' template template0/,
  )
  const settings = { DATA_DIR: makeFolder(context), DATABASE_URL: latin.urlOf(latin.admin, latin.name) }
  const doctor = await deskbell(settings, 'doctor')
  assert.deepEqual([doctor.status, doctor.stdout.match(/^FAIL +database .*LATIN1/gm)?.length], [1, 1])
  assert.match(await refuse(latin.urlOf(latin.admin, 'missing')), /"missing" does not exist; create it/)
  const closed = await makeForeign(context, "encoding 'UTF8' template template0")
  assert.match(await refuse(closed.urlOf(closed.name, closed.name)), /permission denied.*grant create/)
})

test('a second start on one DATA_DIR says at once that it waits, and for which process', async context => {
  const DATA_DIR = makeDataDir(context)
  const first = await startServer(context, { DATA_DIR })
  const second = spawnServer(context, { DATA_DIR })
  const [, pid] = (await until(() => /another Deskbell \(process (\d+)\); waiting/.exec(second.stderr)))!
  assert.equal(Number(pid), first.child.pid)
  assert.equal((await stopServer(first)).stdout.trimEnd().split('\n').at(-1), 'Deskbell has stopped.')
  await untilReady(second)
  await stopServer(second)
})

test('says at a start without an active key how to create one, and which port it listens on if PUBLIC_URL differs', async context => {
  const DATA_DIR = makeDataDir(context)
  await deskbell({ DATA_DIR }, 'project', 'create', '--name', 'Acme')
  const { stdout } = await startServer(context, { DATA_DIR, PUBLIC_URL: 'https://desk.example.com' })
  assert.match(stdout, /^It listens on port \d+ of 127\.0\.0\.1\.$/m)
  assert.match(stdout, /deskbell key create --project [0-9a-f-]{36} --name NAME$/m)
})

test('refuses to start with an unreachable DATABASE_URL, and names it without its password', async context => {
  const DATABASE_URL = 'postgres://someone:hunter2@127.0.0.1:1/desk'
  const outcome = await spawnServer(context, { DATA_DIR: makeFolder(context), DATABASE_URL }).ended
  assertRefused(outcome, 'DATABASE_URL', 1)
  assert.doesNotMatch(outcome.stderr, /hunter2/)
})

test('refuses to start with an invalid setting, and names it', async context => {
  const wrong = {
    PORT: 'http',
    WEBHOOK_TIMEOUT: 'soon',
    ROLES: 'web',
    PUBLIC_URL: 'desk.example.com',
    SECRET_KEY: 'short',
  }
  for (const [name, value] of Object.entries(wrong))
    assert.throws(
      () => readConfig({ [name]: value }),
      error => error instanceof SetupError && error.message.startsWith(`${name}: `),
    )
  const settings = { DATA_DIR: makeFolder(context), WEBHOOK_TIMEOUT: wrong.WEBHOOK_TIMEOUT }
  assertRefused(await spawnServer(context, settings).ended, 'WEBHOOK_TIMEOUT')
})

test("refuses to start with another secret key than the database's, and names SECRET_KEY", async context => {
  const DATA_DIR = makeDataDir(context)
  await stopServer(await startServer(context, { DATA_DIR }))
  assertRefused(await spawnServer(context, { DATA_DIR, SECRET_KEY: '0'.repeat(64) }).ended, 'SECRET_KEY')
})
