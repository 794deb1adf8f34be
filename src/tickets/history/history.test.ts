import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { listEvents, makeDepartment, makeOperator, makeTicket, nobody } from '../../../test/cast.ts'
import { assertEnvelope } from '../../../test/client.ts'
import { startServer } from '../../../test/server.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db, acme } = server
after(() => server.close())

async function historyOf({ id }: { id: string }, query = '') {
  const answer = await api.get(`/tickets/${id}/history${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const byKey = { type: 'api', id: acme.key.id, name: "Acme's key" }

test('the history shows each change with its author, its event and the values before and after', async () => {
  const omar = await makeOperator(db, acme)
  const billing = await makeDepartment(db, acme)
  const ticket = await makeTicket(api, { tags: ['a', 'b'], custom_fields: { order: 'A-1', plan: 'gold' } })
  await api.patch(`/tickets/${ticket.id}`, {
    priority: 'urgent',
    tags: ['b', 'c'],
    custom_fields: { order: 'A-2', plan: null },
    operator_id: omar.id,
    department_id: billing.id,
  })
  const { items, has_more } = await historyOf(ticket)
  const [change, creation] = items
  const logged = (await listEvents(db, acme)).filter(({ data }) => data.ticket_id === ticket.id)
  const transfer = logged.find(({ type }) => type === 'ticket.transferred')!
  assert.deepEqual(
    [items.length, has_more, creation.type, creation.changes, creation.by],
    [2, false, 'ticket.created', [], byKey],
  )
  assert.deepEqual(
    [change.type, change.event_id, change.by, change.can_undo],
    ['ticket.transferred', transfer.id, byKey, true],
  )
  const from = null
  assert.deepEqual(
    change.changes.toSorted((a: { field: string }, b: { field: string }) => a.field.localeCompare(b.field)),
    [
      { field: 'custom_fields.order', from: 'A-1', to: 'A-2' },
      { field: 'custom_fields.plan', from: 'gold', to: null },
      { field: 'department_id', from, to: billing.id, from_name: null, to_name: 'Billing' },
      { field: 'operator_id', from, to: omar.id, from_name: null, to_name: 'Omar' },
      { field: 'priority', from: 'normal', to: 'urgent' },
      { field: 'tags', from, to: null, added: ['c'], removed: ['a'] },
    ],
  )
})

test('a PATCH without effect is not in the history, although it emits an event', async () => {
  const ticket = await makeTicket(api, { priority: 'high', tags: ['a'] })
  await api.patch(`/tickets/${ticket.id}`, { priority: 'high', tags: ['a'], subject: ticket.subject })
  assert.equal((await historyOf(ticket)).items.length, 1)
  const logged = (await listEvents(db, acme)).filter(({ data }) => data.ticket_id === ticket.id)
  assert.equal(logged.at(-1)!.type, 'ticket.updated')
})

test('the history has pages, newest first', async () => {
  const ticket = await makeTicket(api)
  for (const priority of ['low', 'high', 'urgent']) await api.patch(`/tickets/${ticket.id}`, { priority })
  const first = await historyOf(ticket, '?limit=2')
  const second = await historyOf(ticket, `?limit=2&before=${first.items[1].id}`)
  const newValue = (item: { changes: { to: unknown }[] }) => item.changes[0]?.to
  assert.deepEqual([first.has_more, ...first.items.map(newValue)], [true, 'urgent', 'high'])
  assert.deepEqual([second.has_more, ...second.items.map(newValue)], [false, 'low', undefined])
})

test('another project cannot read the history', async () => {
  const ticket = await makeTicket(api)
  assertEnvelope(await outsider.get(`/tickets/${ticket.id}/history`), 404, 'TICKET_NOT_FOUND')
  assertEnvelope(await api.get(`/tickets/${nobody}/history`), 404, 'TICKET_NOT_FOUND')
})
