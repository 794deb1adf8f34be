import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeFolder, type Outcome, spawnServer, startServer, stopServer } from './program.ts'

/** One clear sentence that names the setting, and nothing else. */
function assertRefused({ status, stdout, stderr }: Outcome, setting: string): void {
  assert.equal(status, 1)
  assert.equal(stdout, '')
  assert.equal(stderr.trimEnd().split('\n').length, 1, stderr)
  assert.ok(stderr.startsWith(`${setting}: `), stderr)
  assert.doesNotMatch(stderr, /at .*:\d+:\d+/)
}

test('a taken port ends the start with a sentence that names PORT, before anything is made', async context => {
  const taken = createServer().listen(0, '127.0.0.1')
  context.after(() => taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  const folder = makeFolder(context)
  const begun = Date.now()
  const outcome = await spawnServer(context, { DATA_DIR: join(folder, 'data'), PORT: String(port) }).ended
  assertRefused(outcome, 'PORT')
  assert.match(outcome.stderr, new RegExp(String(port)))
  assert.ok(Date.now() - begun < 5_000)
})

test('a DATA_DIR that cannot be written to ends the start with a sentence that names it', async context => {
  const file = join(makeFolder(context), 'a file')
  writeFileSync(file, '')
  assertRefused(await spawnServer(context, { DATA_DIR: join(file, 'data') }).ended, 'DATA_DIR')
  assertRefused(await spawnServer(context, { DATA_DIR: '/proc/deskbell' }).ended, 'DATA_DIR')
})

test('a DATABASE_URL that cannot be reached ends the start with a sentence that names it and no password', async context => {
  const DATABASE_URL = 'postgres://someone:hunter2@127.0.0.1:1/desk'
  const outcome = await spawnServer(context, { DATA_DIR: makeFolder(context), DATABASE_URL }).ended
  assertRefused(outcome, 'DATABASE_URL')
  assert.doesNotMatch(outcome.stderr, /hunter2/)
})

test('a wrong value of a setting ends the start with a sentence that names it', async context => {
  const wrong = {
    PORT: 'http',
    WEBHOOK_TIMEOUT: 'soon',
    ROLES: 'web',
    PUBLIC_URL: 'desk.example.com',
    SECRET_KEY: 'short',
  }
  for (const [name, value] of Object.entries(wrong)) {
    const outcome = await spawnServer(context, { DATA_DIR: makeFolder(context), [name]: value }).ended
    assertRefused(outcome, name)
  }
})

test("a secret key that is not the database's own ends the start with a sentence that names SECRET_KEY", async context => {
  const DATA_DIR = makeFolder(context)
  await stopServer(await startServer(context, { DATA_DIR }))
  assertRefused(await spawnServer(context, { DATA_DIR, SECRET_KEY: '0'.repeat(64) }).ended, 'SECRET_KEY')
})
