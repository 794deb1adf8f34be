import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventsOf, makeTicket, nobody } from '../../test/cast.ts'
import { assertProblems } from '../../test/client.ts'
import { joinCast, type Person } from '../../test/operator.ts'
import { startServer } from '../../test/server.ts'

const server = await startServer({ delivers: false })
const { api } = server
let olga: Person
let omar: Person
let rita: Person

before(async () => {
  ;({ olga, omar, rita } = await joinCast(server))
})
after(() => server.close())

const act = (ticket_ids: string[], action: string, more = {}, who = omar) =>
  who.api.post('/tickets/bulk', { ticket_ids, action, ...more })

const codes = (items: { error: { error_code: string } | null }[]) =>
  items.map(({ error }) => error?.error_code ?? null)

test('each ticket is changed separately, and the response says which could not be', async () => {
  const [open, closed] = [await makeTicket(api), await makeTicket(api, { status: 'closed' })]
  const ids = [open.id, closed.id, nobody, open.id]
  const { status, body } = await act(ids, 'close', { comment: 'Done.' })
  assert.equal(status, 200)
  assert.deepEqual(
    body.items.map(({ ticket_id }: { ticket_id: string }) => ticket_id),
    [open.id, closed.id, nobody],
  )
  assert.deepEqual(codes(body.items), [null, 'TICKET_ALREADY_CLOSED', 'TICKET_NOT_FOUND'])
  assert.deepEqual(Object.keys(body.items[1].error).sort(), ['detail', 'error_code', 'error_message'])
  assert.equal((await api.get(`/tickets/${open.id}`)).body.status, 'closed')
  assert.deepEqual(codes((await act([open.id, closed.id], 'reopen')).body.items), [null, null])
})

test('many tickets are taken, read and changed at once', async () => {
  const [free, taken] = [await makeTicket(api), await makeTicket(api, { operator_id: olga.id })]
  const ids = [free.id, taken.id]
  assert.deepEqual(codes((await act(ids, 'take')).body.items), [null, 'TICKET_TAKEN'])
  const events = await eventsOf(server, () => act(ids, 'force_take'))
  assert.equal(events.filter(({ type }) => type === 'ticket.force_taken').length, 1)
  await act(ids, 'change', { change: { priority: 'urgent', tags: ['storm'] } })
  const { items } = (await omar.api.get('/tickets?view=mine&tag=storm')).body
  assert.deepEqual(
    items.map(({ priority }: { priority: string }) => priority),
    ['urgent', 'urgent'],
  )
  await act(ids, 'read')
  const wrong = await act(ids, 'change', { change: { operator_id: rita.id } })
  assert.deepEqual(codes(wrong.body.items), ['VALIDATION_ERROR', 'VALIDATION_ERROR'])
})

test('a request must contain 1 to 500 tickets', async () => {
  assertProblems(await act(Array(501).fill(nobody), 'read'), 'body.ticket_ids')
  assertProblems(await act([], 'read'), 'body.ticket_ids')
  assertProblems(await act([nobody], 'eat'), 'body.action:enum')
})

test("Rival cannot change Acme's tickets", async () => {
  const { id } = await makeTicket(api)
  for (const action of ['close', 'reopen', 'take', 'force_take', 'read', 'unread', 'change'])
    assert.deepEqual(codes((await act([id], action, {}, rita)).body.items), ['TICKET_NOT_FOUND'], action)
  const { status, version } = (await api.get(`/tickets/${id}`)).body
  assert.deepEqual([status, version], ['new', 1])
})
