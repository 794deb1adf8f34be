import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import type { Db } from '../../src/core/db/db.ts'
import { bareId } from '../../src/core/ids.ts'
import { listEvents, type Member, makeCast, makeTicket } from '../cast.ts'
import { type Client, createClient } from '../client.ts'
import { createDatabase } from '../database.ts'
import { freePort } from '../free-port.ts'
import { until } from '../until.ts'
import { follow } from '../updates.ts'
import { startServer, stopServer } from './program.ts'

interface Stage {
  db: Db
  acme: Member
  settings: Record<string, string>
}

async function prepare(context: TestContext): Promise<Stage> {
  const { db, target, drop } = await createDatabase()
  context.after(drop)
  const { acme } = await makeCast(db)
  const settings = {
    DATABASE_URL: `postgres://${target.user}@localhost/${target.database}?host=${target.host}`,
    SECRET_KEY: randomBytes(32).toString('hex'),
  }
  return { db, acme, settings }
}

const clientOf = (url: string, { key }: Member): Client => createClient(`${url}/api/v1`, key.key)

/** Null if the connection fails, for example during a restart. */
const trying = (api: Client) => (path: string) => api.get(path).catch(() => null)

/** Creates tickets until `isOver`, whether or not the calls succeed. */
async function write(api: Client, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await api.post('/tickets', { contact: { email: 'ann@example.com' }, content: 'x' }).catch(() => null)
  }
}

test('readers that follow the log through kill -9 of the server miss nothing and see nothing twice', async context => {
  const { db, acme, settings } = await prepare(context)
  const PORT = String(await freePort())
  let server = await startServer(context, { ...settings, PORT })
  const api = clientOf(server.url, acme)
  let end = Number.POSITIVE_INFINITY
  let isOver = false
  context.after(() => {
    isOver = true
    end = 0
  })
  const readers = [1, 2, 3].map(() => follow(trying(api), 0, at => at >= end))
  const writers = Array.from({ length: 8 }, () => write(api, () => isOver))
  for (let kills = 0; kills < 3; kills++) {
    const before = (await listEvents(db, acme)).length
    await until(async () => (await listEvents(db, acme)).length >= before + 40)
    await stopServer(server, 'SIGKILL')
    server = await startServer(context, { ...settings, PORT })
  }
  isOver = true
  await Promise.all(writers)
  const written = (await listEvents(db, acme)).map(({ seq, id }) => `${seq} ${bareId(id)}`)
  end = written.length
  for (const seen of await Promise.all(readers)) {
    assert.deepEqual(
      seen.map(({ seq, id }) => `${seq} ${id}`),
      written,
    )
  }
  await stopServer(server)
})

test('a long poll at one process receives what another process writes', async context => {
  const { acme, settings } = await prepare(context)
  const [one, other] = await Promise.all(
    [1, 2].map(() => startServer(context, { ...settings, ROLES: 'http' })),
  )
  const [here, there] = [clientOf(one!.url, acme), clientOf(other!.url, acme)]
  for (let cursor = 0; cursor < 5; cursor++) {
    const waiting = here.get(`/updates?after=${cursor}&timeout=55`)
    await here.get('/updates?timeout=0')
    await makeTicket(there)
    const { body } = await waiting
    assert.deepEqual([body.items.length, body.last_seq], [1, cursor + 1])
  }
})

test('a stop answers long polls at once, and closes their connections', async context => {
  const { acme, settings } = await prepare(context)
  const server = await startServer(context, settings)
  const api = clientOf(server.url, acme)
  const waiting = [1, 2, 3].map(() => api.get('/updates?timeout=55'))
  await api.get('/updates?timeout=0')
  const { status } = await stopServer(server)
  assert.equal(status, 0)
  // Calls that a stop has not answered after ten seconds are cut off.
  for (const answer of await Promise.all(waiting)) {
    assert.deepEqual([answer.status, answer.body.items], [200, []])
    assert.equal(answer.headers.get('connection'), 'close')
  }
})
