import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { makeCast, unique } from '../cast.ts'
import { type Client, createClient } from '../client.ts'
import { addressOf, createDatabase } from '../database.ts'
import { freePort } from '../free-port.ts'
import { until } from '../until.ts'
import { makeFolder, type Program, startServer, stopServer } from './program.ts'

/** Two processes on one database: one is written to and killed, the other is read from. */

const writers = 24

async function startPair(context: TestContext) {
  const { db, target, drop } = await createDatabase()
  context.after(drop)
  const shared = {
    DATABASE_URL: addressOf(target),
    DATA_DIR: makeFolder(context),
    SECRET_KEY: randomBytes(32).toString('hex'),
    PUBLIC_URL: 'http://localhost',
  }
  const settings = [
    { ...shared, PORT: String(await freePort()), ROLES: 'http', RATE_LIMIT_PER_KEY: '1000000' },
    { ...shared, PORT: String(await freePort()), ROLES: 'http', RATE_LIMIT_PER_KEY: '1000000' },
  ]
  const [written, read] = await Promise.all(settings.map(each => startServer(context, each)))
  const { acme } = await makeCast(db)
  const clients = settings.map(({ PORT }) => createClient(`http://127.0.0.1:${PORT}/api/v1`, acme.key.key))
  return { db, acme, settings, written: written!, read: read!, api: clients[0]!, reader: clients[1]! }
}

type Copies = Record<'/contacts' | '/tickets' | '/messages', Map<string, string>>

/** Reads on from the newest time seen so far, as a synchronising client does. */
async function readOn(api: Client, path: string, copy: Map<string, string>): Promise<void> {
  const newest = [...copy.values()].reduce((one, other) => (one > other ? one : other), '2000-01-01')
  let cursor: string | null = ''
  do {
    const query = `sort=updated_at&updated_after=${newest}&page_size=100${cursor && `&cursor=${cursor}`}`
    const { status, body, text } = await api.get(`${path}?${query}`)
    assert.equal(status, 200, text)
    for (const { id, updated_at } of body.items) copy.set(id, updated_at)
    cursor = body.next_cursor
  } while (cursor)
}

test('a client that follows the lists misses nothing when a process is killed during many writes', async context => {
  const { db, acme, settings, written, api, reader } = await startPair(context)
  const copies: Copies = { '/contacts': new Map(), '/tickets': new Map(), '/messages': new Map() }
  let [isOver, changes] = [false, 0]
  context.after(() => {
    isOver = true
  })
  const write = async () => {
    while (!isOver) {
      const contact = { email: `${unique()}@example.com` }
      // The call may fail while the process is down; the database decides whether it took effect.
      const ticket = await api.post('/tickets', { contact, content: 'Hello' }).catch(() => null)
      if (ticket?.status !== 201) continue
      await api.post(`/tickets/${ticket.body.id}/messages`, { content: unique() }).catch(() => null)
      await api.patch(`/contacts/${ticket.body.contact_id}`, { note: unique() }).catch(() => null)
      changes += 3
    }
  }
  const follow = async () => {
    while (!isOver) for (const [path, copy] of Object.entries(copies)) await readOn(reader, path, copy)
  }
  const work = [follow(), ...Array.from({ length: writers }, write)]
  let program: Program = written
  for (let kills = 1; kills <= 2; kills++) {
    await until(() => changes >= kills * 150)
    await stopServer(program, 'SIGKILL')
    program = await startServer(context, settings[0]!)
  }
  await until(() => changes >= 450)
  isOver = true
  await Promise.all(work)
  for (const [path, copy] of Object.entries(copies)) await readOn(reader, path, copy)
  const truth = {
    '/contacts': await db`select id, updated_at as at from contacts where project_id = ${acme.id}`,
    '/tickets':
      await db`select ticket_id as id, updated_at as at from ticket_activity where project_id = ${acme.id}`,
    '/messages': await db`select id, updated_at as at from messages where project_id = ${acme.id}`,
  }
  for (const [path, rows] of Object.entries(truth)) {
    const copy = copies[path as keyof Copies]
    assert.deepEqual(
      rows.filter(({ id, at }) => copy.get(id) !== at),
      [],
      path,
    )
    assert.equal(copy.size, rows.length, path)
  }
})
