import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeTicket } from '../../../test/cast.ts'
import { assertEnvelope } from '../../../test/client.ts'
import { joinCast, joinProject, type Person } from '../../../test/operator.ts'
import { startServer } from '../../../test/server.ts'
import { newId } from '../../core/ids.ts'

const server = await startServer({ delivers: false })
const { api, db, acme, rival } = server
let omar: Person
let olga: Person
let rita: Person

before(async () => {
  ;({ olga, omar, rita } = await joinCast(server))
})
after(() => server.close())

const makeTickets = async (count: number, fields = {}): Promise<string[]> => {
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push((await makeTicket(api, fields)).id)
  return ids
}

const act = (ticket_ids: string[], more: object, who = omar) =>
  who.api.post('/tickets/bulk', { ticket_ids, ...more })
const undoRun = (run_id: string, more = {}, who = omar) =>
  who.api.post('/tickets/bulk/undo', { run_id, ...more })
const read = async (id: string) => (await api.get(`/tickets/${id}`)).body
const change = (run_id: string, fields: object) => ({ action: 'change', run_id, change: fields })

test('a bulk action is undone by its run_id, and other changes to the tickets stay', async () => {
  const run_id = newId()
  const ids = await makeTickets(4, { tags: ['a'] })
  const [own] = await makeTickets(1)
  await act(ids, change(run_id, { priority: 'urgent', tags: ['b'] }))
  await api.patch(`/tickets/${own}`, { priority: 'urgent' })
  await olga.api.patch(`/tickets/${ids[0]}`, { priority: 'low' })
  const { status, body } = await undoRun(run_id)
  assert.deepEqual([status, body.remaining, body.items.length], [200, 0, 4])
  const kept = body.items.flatMap((item: { kept: object[] }) => item.kept)
  assert.deepEqual(
    kept.map(({ field, by }: { field: string; by: { name: string } }) => [field, by.name]),
    [['priority', 'Olga']],
  )
  const tickets = await Promise.all([...ids, own!].map(read))
  assert.deepEqual(
    tickets.map(({ priority }) => priority),
    ['low', 'normal', 'normal', 'normal', 'urgent'],
  )
  assert.deepEqual(
    tickets.map(({ tags }) => tags),
    [['a'], ['a'], ['a'], ['a'], []],
  )
  const [item] = (await api.get(`/tickets/${ids[1]}/history`)).body.items
  assert.deepEqual([item.by.name, item.run_id], ['Omar', null])
  assert.ok(item.undoes)
})

test('every action of a bulk request can be undone', async () => {
  const [id] = await makeTickets(1, { operator_id: olga.id, status: 'open' })
  const fieldsOf = ({ status, operator_id, closed_at, reopened_count }: Record<string, unknown>) => [
    status,
    operator_id,
    closed_at,
    reopened_count,
  ]
  const first = fieldsOf(await read(id!))
  for (const action of ['force_take', 'close']) {
    const run_id = newId()
    await act([id!], { action, run_id })
    assert.notDeepEqual(fieldsOf(await read(id!)), first, action)
    await undoRun(run_id)
    assert.deepEqual(fieldsOf(await read(id!)), first, action)
  }
})

test('a bulk action is undone once, even by several requests at the same time', async () => {
  const run_id = newId()
  const ids = await makeTickets(6)
  await act(ids, change(run_id, { priority: 'high' }))
  const answers = await Promise.all([undoRun(run_id), undoRun(run_id), undoRun(run_id, {}, olga)])
  const undone = answers
    .flatMap(({ body }) => body.items)
    .map(({ ticket_id }: { ticket_id: string }) => ticket_id)
  assert.deepEqual(undone.toSorted(), ids.toSorted())
  assert.deepEqual((await undoRun(run_id)).body, { items: [], remaining: 0 })
})

test('if a request lists tickets, the bulk action is undone only for them', async () => {
  const run_id = newId()
  const ids = await makeTickets(3)
  await act(ids, change(run_id, { priority: 'high' }))
  const { body } = await undoRun(run_id, { ticket_ids: ids.slice(0, 1) })
  assert.deepEqual([body.items.length, body.remaining], [1, 0])
  assert.equal((await undoRun(run_id)).body.items.length, 2)
})

test('a bulk action cannot be undone for a ticket that has been merged since, but is undone for the others', async () => {
  const run_id = newId()
  const [merged, other, target] = await makeTickets(3)
  await act([merged!, other!], change(run_id, { priority: 'high' }))
  await api.post(`/tickets/${merged}/merge`, { into_ticket_id: target, force: true })
  const { body } = await undoRun(run_id)
  const errors = new Map(
    body.items.map((item: { ticket_id: string; error: object | null }) => [item.ticket_id, item.error]),
  )
  assert.equal(errors.get(other), null)
  assert.deepEqual(errors.get(merged), {
    error_code: 'CHANGE_NOT_UNDOABLE',
    error_message: 'This change cannot be undone. See detail.reason.',
    detail: { reason: 'merged' },
  })
  assert.equal((await undoRun(run_id)).body.remaining, 0)
})

test('if a bulk action fails for some tickets, they do not change, and the others do', async () => {
  const [open, closed] = [await makeTickets(2), await makeTickets(2, { status: 'closed' })]
  const { body } = await act([...open, ...closed], { action: 'close', comment: 'Done.', run_id: newId() })
  const failed = body.items.filter(({ error }: { error: object | null }) => error)
  assert.deepEqual(
    failed.map(({ ticket_id }: { ticket_id: string }) => ticket_id),
    closed,
  )
  for (const id of closed) assert.equal((await read(id)).messages_count, 0)
  for (const id of open) assert.equal((await read(id)).status, 'closed')
})

test('a run_id or ticket_id that is not a UUID is refused', async () => {
  const ids = await makeTickets(1)
  for (const wrong of ['', 'run-1', `${newId()}x`]) {
    const answers = [
      await act(ids, change(wrong, { priority: 'high' })),
      await undoRun(wrong),
      await undoRun(newId(), { ticket_ids: [wrong] }),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [422, 422, 422],
    )
  }
})

test("Rival cannot undo Acme's changes, even with the same run_id", async () => {
  const run_id = newId()
  const ids = await makeTickets(2)
  await act(ids, change(run_id, { priority: 'high' }))
  const theirs = await joinProject(server, rival, { name: 'Rob' })
  assert.deepEqual((await undoRun(run_id, {}, theirs)).body, { items: [], remaining: 0 })
  assert.deepEqual((await undoRun(run_id, { ticket_ids: ids }, rita)).body, { items: [], remaining: 0 })
  for (const id of ids) assert.equal((await read(id)).priority, 'high')
  assert.equal(
    (await db`select from ticket_history where project_id = ${rival.id} and run_id = ${run_id}`).count,
    0,
  )
  assertEnvelope(await theirs.of(acme).get(`/tickets/${ids[0]}/history`), 404, 'PROJECT_NOT_FOUND')
})
