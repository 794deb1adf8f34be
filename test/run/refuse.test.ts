import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../../src/core/config/config.ts'
import { SetupError } from '../../src/core/config/setup-error.ts'
import { until } from '../until.ts'
import { assertRefused } from './assert-refused.ts'
import {
  deskbell,
  makeDataDir,
  makeFolder,
  spawnServer,
  startServer,
  stopServer,
  untilReady,
} from './program.ts'

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

test('refuses to start with a DATA_DIR that cannot be written to, and names it', async context => {
  const file = join(makeFolder(context), 'a file')
  writeFileSync(file, '')
  assertRefused(await spawnServer(context, { DATA_DIR: join(file, 'data') }).ended, 'DATA_DIR')
  assertRefused(await spawnServer(context, { DATA_DIR: '/proc/deskbell' }).ended, 'DATA_DIR')
  const outcome = await spawnServer(context, { DATA_DIR: file }).ended
  assertRefused(outcome, 'DATA_DIR')
  assert.match(outcome.stderr, /a file is not a folder/)
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
