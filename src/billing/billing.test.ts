import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { limitTickets, makeTicket } from '../../test/cast.ts'
import { assertEnvelope } from '../../test/client.ts'
import { startServer, type TestServer } from '../../test/server.ts'

const endOfMonth = (): Date => {
  const today = new Date()
  return new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 1))
}

const firstOfNextMonth = (): string => `${endOfMonth().toISOString().slice(0, 19)}.000000`

/** Milliseconds within which these tests end, also on a busy machine. */
const enoughMs = 60_000

let server: TestServer
before(async () => {
  const left = endOfMonth().getTime() - Date.now()
  // These tests count the tickets of one month. In its last minute, they wait for the next one.
  if (left < enoughMs) await sleep(left + 10)
  server = await startServer({ delivers: false })
})
after(() => server.close())

test("GET /project returns the project of the key, its plan and features, and this month's ticket count", async () => {
  const { api, outsider, acme, rival } = server
  await makeTicket(api)
  const { status, body } = await api.get('/project')
  assert.equal(status, 200)
  assert.deepEqual(
    { ...body, created_at: '' },
    {
      id: acme.id,
      name: 'Acme',
      plan: 'unlimited',
      features: { knowledge_base: true },
      tickets: { limit: null, used: 1, resets_at: firstOfNextMonth() },
      created_at: '',
    },
  )
  const theirs = (await outsider.get('/project')).body
  assert.deepEqual([theirs.id, theirs.name, theirs.tickets.used], [rival.id, 'Rival', 0])
})

test('spec 8 monthly tickets: TICKET_LIMIT_REACHED contains the limit, its use and when it resets', async () => {
  const { db, api, acme } = server
  await limitTickets(db, acme, 2)
  await makeTicket(api)
  const answer = await api.post('/tickets', { contact: { email: 'late@example.com' } })
  assertEnvelope(answer, 403, 'TICKET_LIMIT_REACHED')
  assert.deepEqual(answer.body.detail, { limit: 2, used: 2, resets_at: firstOfNextMonth() })
})

test('spec 8 monthly tickets: a new month starts at zero', async () => {
  const { db, api, acme } = server
  await limitTickets(db, acme, 1)
  await db`update project_counters set month = month - interval '1 month', month_tickets = 900
    where project_id = ${acme.id}`
  assert.equal((await api.get('/project')).body.tickets.used, 0)
  await makeTicket(api)
  assert.equal((await api.get('/project')).body.tickets.used, 1)
  assert.equal((await api.post('/tickets', { contact: { email: 'b@example.com' } })).status, 403)
})

test('spec 8 monthly tickets: a refused ticket does not count, and concurrent tickets never exceed the limit', async () => {
  const { db, outsider, rival } = server
  await limitTickets(db, rival, 3)
  assert.equal((await outsider.post('/tickets', { contact: {} })).status, 400)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      outsider.post('/tickets', { contact: { email: `v${at}@example.com` } }),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 3)
  assert.equal(answers.filter(({ status }) => status === 403).length, 17)
  assert.equal((await outsider.get('/project')).body.tickets.used, 3)
})
