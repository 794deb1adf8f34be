import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { limitTickets, listEvents, makeTicket, unique } from '../../test/cast.ts'
import { startServer } from '../../test/server.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db, acme, rival } = server
after(() => server.close())

const many = <T>(count: number, act: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => act(at)))

const numbers = (tickets: { short_id: string }[]) =>
  tickets.map(ticket => Number(ticket.short_id)).sort((a, b) => a - b)

test('50 simultaneous creations, with refused ones among them, get numbers without gaps or duplicates', async () => {
  const first = Number((await makeTicket(api)).short_id)
  const answers = await many(75, at =>
    api.post('/tickets', {
      contact: { email: `${unique()}@example.com` },
      ...(at % 3 === 2 && { operator_id: unique() }),
    }),
  )
  const made = answers.filter(answer => answer.status === 201).map(answer => answer.body)
  assert.equal(made.length, 50)
  assert.deepEqual(
    numbers(made),
    Array.from({ length: 50 }, (_, at) => first + 1 + at),
  )
})

test('each project has its own ticket numbers', async () => {
  const ours = await makeTicket(api)
  const theirs = await makeTicket(outsider)
  assert.ok(Number(theirs.short_id) < Number(ours.short_id))
})

test("the plan's limit is exact under 60 simultaneous creations", async () => {
  const used = (await outsider.get('/tickets')).body.total
  await limitTickets(db, rival, used + 25)
  const answers = await many(60, () =>
    outsider.post('/tickets', { contact: { email: `${unique()}@example.com` } }),
  )
  const count = (status: number) => answers.filter(answer => answer.status === status).length
  assert.deepEqual([count(201), count(403)], [25, 35])
  const [row] = await db`select count(*)::int as n from tickets where project_id = ${rival.id}`
  assert.equal(row!.n, used + 25)
  const events = (await listEvents(db, rival)).filter(event => event.type === 'ticket.created')
  assert.equal(events.length, used + 25)
})

test('20 simultaneous tickets of one new contact create one contact', async () => {
  const email = `${unique()}@example.com`
  const tickets = await many(20, () => makeTicket(api, { contact: { email, telegram_id: 777001 } }))
  assert.equal(new Set(tickets.map(ticket => ticket.contact_id)).size, 1)
  assert.equal((await api.get(`/contacts?email=${email}`)).body.total, 1)
})

test('tickets requested while their contact is being blocked are not created after the block', async () => {
  const ticket = await makeTicket(api)
  const contact = { email: ticket.contact.email }
  const [, ...answers] = await Promise.all([
    api.patch(`/contacts/${ticket.contact_id}`, { is_blocked: true }),
    ...Array.from({ length: 20 }, () => api.post('/tickets', { contact })),
  ])
  assert.ok(answers.every(answer => [201, 403].includes(answer.status)))
  assert.equal((await api.post('/tickets', { contact })).status, 403)
  const [row] = await db`
    select count(*)::int as late from tickets t join contacts c on c.id = t.contact_id
    where t.project_id = ${acme.id} and c.id = ${ticket.contact_id} and t.created_at > c.blocked_at + interval '1 s'`
  assert.equal(row!.late, 0)
})

test("simultaneous reads return tickets of the caller's project only, and never an outdated one", async () => {
  const [ours, theirs] = [await makeTicket(api), (await outsider.get('/tickets')).body.items[0]]
  for (let round = 0; round < 10; round++) {
    const reads = many(20, at =>
      (at % 2 ? api : outsider).get(`/tickets/${at % 4 < 2 ? ours.id : theirs.id}`),
    )
    const subject = `Round ${round}`
    assert.equal((await api.patch(`/tickets/${ours.id}`, { subject })).status, 200)
    assert.equal((await api.get(`/tickets/${ours.id}`)).body.subject, subject)
    const statuses = (await reads).map(answer => answer.status)
    assert.deepEqual(
      statuses,
      Array.from({ length: 20 }, (_, at) => (at % 4 === 1 || at % 4 === 2 ? 200 : 404)),
    )
  }
})
