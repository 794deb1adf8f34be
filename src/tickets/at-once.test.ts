import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { limitTickets, listEvents, makeTicket, unique } from '../../test/cast.ts'
import type { Answer } from '../../test/client.ts'
import { startServer } from '../../test/server.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db, acme, rival } = server
after(() => server.close())

const hundred = (act: (at: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: 100 }, (_, at) => act(at)))

const countOf = (answers: Answer[], status: number): number =>
  answers.filter(answer => answer.status === status).length

test('of 100 simultaneous creations, exactly as many succeed as the plan has left', async () => {
  await limitTickets(db, rival, 40)
  const contact = () => ({ contact: { email: `${unique()}@example.com` } })
  const answers = await hundred(() => outsider.post('/tickets', contact()))
  assert.deepEqual([countOf(answers, 201), countOf(answers, 403)], [40, 60])
  assert.equal((await outsider.get('/tickets')).body.total, 40)
})

test('of 100 simultaneous requests to close a ticket, one succeeds and emits one event', async () => {
  const { id } = await makeTicket(api)
  const answers = await hundred(() => api.post(`/tickets/${id}/close`))
  assert.deepEqual([countOf(answers, 200), countOf(answers, 409)], [1, 99])
  const closed = (await listEvents(db, acme)).filter(({ type }) => type === 'ticket.closed')
  assert.equal(closed.length, 1)
  assert.ok(!(await listEvents(db, rival)).some(({ type }) => type === 'ticket.closed'))
})

test('100 simultaneous creations of one new contact create it once', async () => {
  const email = `${unique()}@example.com`
  const answers = await hundred(at => api.post('/contacts', { email, full_name: `Ann ${at}` }))
  assert.equal(countOf(answers, 201), 100)
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
  assert.equal((await api.get(`/contacts?email=${email}`)).body.total, 1)
  assert.equal((await outsider.get(`/contacts?email=${email}`)).body.total, 0)
})
