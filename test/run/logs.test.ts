import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { connect } from '../../src/core/db/db.ts'
import {
  keyOf,
  makeDataDir,
  type Program,
  readFirstAccess,
  socketDirOf,
  startServer,
  stopServer,
} from './program.ts'

const secrets = {
  secretKey: randomBytes(32).toString('hex'),
  metrics: 'the-token-of-metrics',
  redis: 'the-password-of-redis',
  password: 'the-password-of-a-person',
  cookie: 'the-cookie-of-a-person',
  wrongKey: 'sk_the-key-of-nobody',
  text: 'a private text',
}

const callerOf =
  ({ url }: Program, key: string) =>
  async (method: string, path: string, body?: object, bearer = key) => {
    const cookie = `deskbell.session_token=${secrets.cookie}`
    const headers = { authorization: `Bearer ${bearer}`, cookie, 'content-type': 'application/json' }
    const answer = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) })
    return { status: answer.status, id: answer.headers.get('x-request-id'), text: await answer.text() }
  }

/** Renames these tables, so that each statement that uses them fails. */
async function takeTables(dataDir: string): Promise<void> {
  const target = { host: socketDirOf(dataDir), port: 5432, user: 'deskbell', database: 'deskbell' }
  const db = connect(target, { max: 1 })
  for (const name of ['tags', 'tickets']) await db.unsafe(`alter table ${name} rename to ${name}_elsewhere`)
  await db.end()
}

test('logs JSON lines that name the failed request and contain no secret', async t => {
  const DATA_DIR = makeDataDir(t)
  const server = await startServer(t, {
    DATA_DIR,
    LOG_LEVEL: 'trace',
    SECRET_KEY: secrets.secretKey,
    METRICS_TOKEN: secrets.metrics,
    // No server listens on this port.
    REDIS_URL: `redis://user:${secrets.redis}@127.0.0.1:9/`,
  })
  const key = keyOf(server)
  const link = /\/link\/([\w-]+)/.exec(readFirstAccess(server))![1]!
  const call = callerOf(server, key)
  const { text } = await call('POST', '/api/v1/webhooks', { url: 'http://127.0.0.1:9/', events: [] })
  const ticket = { contact: { email: 'ann@example.com' }, content: secrets.text }
  assert.equal((await call('POST', '/api/v1/tickets', ticket)).status, 201)
  assert.equal((await call('GET', '/api/v1/tickets', undefined, secrets.wrongKey)).status, 401)
  await call('GET', '/metrics', undefined, secrets.metrics)
  await call('POST', '/api/auth/sign-in/email', { email: 'olga@example.com', password: secrets.password })
  await takeTables(DATA_DIR)
  const failed = [
    await call('GET', `/api/v1/tags?api_key=${key}`),
    await call('POST', '/api/v1/tickets', ticket),
  ]
  for (const { status } of failed) assert.equal(status, 500)
  const { stdout, stderr } = await stopServer(server)

  const lines = stderr
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  for (const line of lines) assert.ok(line.level && line.time && line.msg, JSON.stringify(line))
  for (const { id } of failed) assert.ok(lines.some(line => line.request_id === id && line.err))
  const hidden = { ...secrets, key, link, webhook: JSON.parse(text).secret }
  for (const [name, value] of Object.entries(hidden)) assert.ok(!(stdout + stderr).includes(value), name)
})
