import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventsOf, makeTicket, nobody, unique } from '../../test/cast.ts'
import { assertEnvelope } from '../../test/client.ts'
import { joinCast, type Person } from '../../test/operator.ts'
import { startServer, type TestServer } from '../../test/server.ts'

let server: TestServer
let olga: Person
let omar: Person
let rita: Person
let sales: { id: string; name: string }
before(async () => {
  server = await startServer({ delivers: false })
  ;({ olga, omar, rita } = await joinCast(server))
  sales = await make('Sales')
})
after(() => server.close())

async function make(name: string = unique()) {
  const answer = await olga.api.post('/departments', { name })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

const list = async () => (await olga.api.get('/departments?page_size=100')).body.items
const defaults = async () => (await list()).filter((one: { is_default: boolean }) => one.is_default)

test('the first department is the default, and another one can replace it', async () => {
  assert.deepEqual(
    (await defaults()).map(({ name }: { name: string }) => name),
    ['Sales'],
  )
  const other = await make()
  assert.equal(other.is_default, false)
  const answer = await olga.api.patch(`/departments/${other.id}`, { is_default: true })
  assert.equal(answer.body.is_default, true)
  assert.equal((await defaults()).length, 1)
  await olga.api.patch(`/departments/${sales.id}`, { is_default: true })
})

test('of several first departments created concurrently, one is the default', async () => {
  const names = Array.from({ length: 8 }, () => unique())
  const made = await Promise.all(names.map(name => rita.api.post('/departments', { name })))
  assert.deepEqual(
    made.map(({ status }) => status),
    names.map(() => 201),
  )
  assert.equal(made.filter(({ body }) => body.is_default).length, 1)
})

test("a department's name and people can be changed, with people of the project only", async () => {
  const { id } = await make()
  const answer = await olga.api.patch(`/departments/${id}`, {
    name: 'Returns',
    operator_ids: [omar.id, omar.id],
  })
  assert.partialDeepStrictEqual(answer.body, { name: 'Returns', operator_ids: [omar.id] })
  assert.deepEqual((await olga.api.get(`/operators/${omar.id}`)).body.department_ids, [id])
  const theirs = await olga.api.patch(`/departments/${id}`, { operator_ids: [rita.id] })
  assertEnvelope(theirs, 422, 'VALIDATION_ERROR', { field: 'operator_ids', reason: 'not_found' })
  assert.deepEqual((await olga.api.get(`/operators/${omar.id}`)).body.department_ids, [id])
})

test('department names are unique, ignoring case', async () => {
  const { id } = await make()
  assertEnvelope(await olga.api.post('/departments', { name: 'SALES' }), 409, 'DEPARTMENT_EXISTS')
  assertEnvelope(await olga.api.patch(`/departments/${id}`, { name: 'sales' }), 409, 'DEPARTMENT_EXISTS')
})

test('tickets of a deleted department move to the default one, closed ones without an event', async () => {
  const { id } = await make()
  const open = await makeTicket(server.api, { department_id: id, operator_id: omar.id })
  const closed = await makeTicket(server.api, { department_id: id })
  await server.api.post(`/tickets/${closed.id}/close`)
  const events = await eventsOf(server, async () => {
    assert.equal((await olga.api.delete(`/departments/${id}`)).status, 204)
  })
  assert.deepEqual(
    events.map(({ type, data }) => [type, data]),
    [
      [
        'ticket.transferred',
        {
          ticket_id: open.id,
          department_id: sales.id,
          department_name: 'Sales',
          operator_id: omar.id,
          operator_name: 'Omar',
        },
      ],
    ],
  )
  for (const ticket of [open, closed])
    assert.equal((await server.api.get(`/tickets/${ticket.id}`)).body.department_id, sales.id)
  assert.ok(!(await list()).some((one: { id: string }) => one.id === id))
})

test('tickets of a deleted department move to the department that the admin chooses', async () => {
  const [from, to] = [await make(), await make()]
  const ticket = await makeTicket(server.api, { department_id: from.id })
  const end = (query: string) => olga.api.delete(`/departments/${from.id}${query}`)
  const theirs = (await rita.api.post('/departments', { name: unique() })).body
  for (const [id, reason] of [
    [from.id, 'same'],
    [theirs.id, 'not_found'],
    [nobody, 'not_found'],
    ['x', 'not_found'],
  ])
    assertEnvelope(await end(`?tickets_to=${id}`), 422, 'VALIDATION_ERROR', { field: 'tickets_to', reason })
  assert.equal((await end(`?tickets_to=${to.id}`)).status, 204)
  assert.equal((await server.api.get(`/tickets/${ticket.id}`)).body.department_id, to.id)
  const [entry] = (await olga.api.get(`/audit?target_id=${from.id}&action=department.deleted`)).body.items
  assert.deepEqual(entry.detail, { tickets_to: to.name })
})

test('the default department cannot be deleted, and an unknown one is not found', async () => {
  assertEnvelope(await olga.api.delete(`/departments/${sales.id}`), 409, 'DEFAULT_DEPARTMENT')
  assertEnvelope(await olga.api.delete(`/departments/${nobody}`), 404, 'DEPARTMENT_NOT_FOUND')
  assertEnvelope(await rita.api.delete(`/departments/${sales.id}`), 404, 'DEPARTMENT_NOT_FOUND')
  assertEnvelope(await rita.api.patch(`/departments/${sales.id}`, {}), 404, 'DEPARTMENT_NOT_FOUND')
})
