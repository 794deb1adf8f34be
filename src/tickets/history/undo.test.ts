import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  eventsOf,
  makeContact,
  makeDepartment,
  makeOperator,
  makeTicket,
  typesOf,
} from '../../../test/cast.ts'
import { assertEnvelope } from '../../../test/client.ts'
import { joinProject } from '../../../test/operator.ts'
import { startServer } from '../../../test/server.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db, acme } = server
const omar = await joinProject(server, acme, { name: 'Omar' })
after(() => server.close())

interface Item {
  id: string
  event_id: string
  type: string
  by: { name: string }
  changes: { field: string }[]
  undoes: string | null
  undone_at: string | null
  can_undo: boolean
}

const historyOf = async (id: string): Promise<Item[]> => (await api.get(`/tickets/${id}/history`)).body.items
const newest = async (id: string): Promise<Item> => (await historyOf(id))[0]!
const undo = (id: string, change: string, headers = {}) =>
  api.post(`/tickets/${id}/undo`, { id: change }, { headers })

async function undoNewest(id: string) {
  const answer = await undo(id, (await newest(id)).id)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const patch = (id: string, fields: object, by = api) => by.patch(`/tickets/${id}`, fields)

test('undoing a change restores all fields that it changed, as a new change by the person who undoes it', async () => {
  const billing = await makeDepartment(db, acme)
  const before = await makeTicket(api, {
    tags: ['a', 'b'],
    custom_fields: { order: 'A-1', plan: 'gold' },
    external_id: 'x-1',
  })
  const fields = {
    subject: 'New',
    priority: 'urgent',
    is_spam: true,
    external_id: null,
    department_id: billing.id,
    operator_id: omar.id,
  }
  await patch(before.id, {
    ...fields,
    tags: ['b', 'c'],
    custom_fields: { order: null, plan: 'free', size: 3 },
  })
  const change = await newest(before.id)
  const { body } = await omar.api.post(`/tickets/${before.id}/undo`, { id: change.id })
  for (const field of [...Object.keys(fields), 'custom_fields', 'status'])
    assert.deepEqual(body.ticket[field], before[field], field)
  assert.deepEqual([body.ticket.tags.toSorted(), body.kept], [['a', 'b'], []])
  const names = change.changes.map(({ field }) => field)
  assert.deepEqual(body.undone.toSorted(), names.toSorted())
  const [undoing, undone] = await historyOf(before.id)
  assert.deepEqual([undoing!.undoes, undoing!.by.name, undoing!.can_undo], [change.id, 'Omar', true])
  assert.ok(undone!.undone_at)
  assert.equal(undone!.can_undo, false)
})

test('a field that somebody changed later stays, and the response says who changed it', async () => {
  const { id } = await makeTicket(api, { tags: ['a'] })
  await patch(id, { priority: 'urgent', subject: 'Mine', tags: ['b', 'c'] })
  const change = await newest(id)
  await patch(id, { priority: 'high', tags: ['b', 'd'] }, omar.api)
  const { at } = (await newest(id)) as unknown as { at: string }
  const { body } = await undo(id, change.id)
  const by = { type: 'operator', id: omar.id, name: 'Omar' }
  assert.deepEqual(
    body.kept,
    ['tags', 'priority'].map(field => ({ field, reason: 'changed_since', by, at })),
  )
  assert.deepEqual([body.undone.toSorted(), body.ticket.priority], [['subject', 'tags'], 'high'])
  assert.deepEqual(body.ticket.tags.toSorted(), ['a', 'd'])
})

test('a field that was changed later and then changed back stays too', async () => {
  const { id } = await makeTicket(api)
  for (const priority of ['urgent', 'low', 'urgent']) await patch(id, { priority })
  const [, , first] = await historyOf(id)
  const { body } = await undo(id, first!.id)
  assert.deepEqual([body.undone, body.kept[0].reason, body.ticket.priority], [[], 'changed_since', 'urgent'])
})

test('several changes can be undone one after the other, and an undone change can be restored', async () => {
  const { id } = await makeTicket(api)
  await patch(id, { priority: 'high' })
  await patch(id, { priority: 'urgent' })
  const [second, first] = await historyOf(id)
  assert.equal((await undo(id, second!.id)).body.ticket.priority, 'high')
  assert.equal((await undo(id, first!.id)).body.ticket.priority, 'normal')
  assert.equal((await undoNewest(id)).ticket.priority, 'high')
  const restored = (await historyOf(id)).find(item => item.id === first!.id)
  assert.deepEqual([restored!.undone_at, restored!.can_undo], [null, true])
  assert.equal((await undo(id, first!.id)).body.ticket.priority, 'normal')
})

test('undoing the same change again changes nothing, and the response says that it is already undone', async () => {
  const { id } = await makeTicket(api)
  await patch(id, { priority: 'high' })
  const change = await newest(id)
  await undo(id, change.id)
  const events = await typesOf(server, async () => {
    const { body } = await undo(id, change.id)
    const kept = body.kept.map(({ field, reason }: Record<string, string>) => [field, reason])
    assert.deepEqual(
      [body.undone, kept, body.ticket.priority],
      [[], [['priority', 'already_undone']], 'normal'],
    )
  })
  assert.deepEqual(events, [])
  assert.equal((await historyOf(id)).length, 3)
})

test('a change can be undone by the id of any of its events', async () => {
  const { id } = await makeTicket(api)
  const events = await eventsOf(server, () => patch(id, { operator_id: omar.id, priority: 'low' }))
  for (const { id: eventId, type } of events.filter(event => event.type.startsWith('ticket.'))) {
    const { body } = await undo(id, eventId)
    assert.deepEqual(body.undone.toSorted(), ['operator_id', 'priority'], type)
    await undoNewest(id)
  }
})

test('undoing a mistaken closing restores the ticket', async () => {
  const { id } = await makeTicket(api, { status: 'open' })
  const snoozed = (await patch(id, { snoozed_until: '2030-01-01T00:00:00Z' })).body
  await api.post(`/tickets/${id}/close`)
  const closed = await newest(id)
  const types = await typesOf(server, () => undo(id, closed.id))
  const { body } = await api.get(`/tickets/${id}`)
  for (const field of [
    'status',
    'closed_at',
    'closed_by',
    'resolution_secs',
    'snoozed_until',
    'reopened_count',
  ])
    assert.deepEqual(body[field], snoozed[field], field)
  assert.deepEqual(
    types.filter(type => type.startsWith('ticket.')),
    ['ticket.updated', 'ticket.reopened'],
  )
})

test('undoing a mistaken reopening closes the ticket as it was closed before', async () => {
  const { id } = await makeTicket(api)
  const closed = (await api.post(`/tickets/${id}/close`)).body
  await api.post(`/tickets/${id}/reopen`)
  const types = await typesOf(server, () => undoNewest(id))
  const { body } = await api.get(`/tickets/${id}`)
  for (const field of ['status', 'closed_at', 'closed_by', 'resolution_secs', 'reopened_count'])
    assert.deepEqual(body[field], closed[field], field)
  assert.deepEqual(
    types.filter(type => type.startsWith('ticket.')),
    ['ticket.updated', 'ticket.closed'],
  )
})

test('if the ticket was closed later, all fields that belong to the status stay', async () => {
  const { id } = await makeTicket(api)
  await patch(id, { snoozed_until: '2030-01-01T00:00:00Z', priority: 'high' })
  const change = await newest(id)
  await api.post(`/tickets/${id}/close`)
  const { body } = await undo(id, change.id)
  assert.deepEqual(
    [body.undone, body.ticket.status, body.ticket.snoozed_until],
    [['priority'], 'closed', null],
  )
  assert.deepEqual(body.kept.map(({ field }: { field: string }) => field).toSorted(), [
    'snoozed_until',
    'status',
  ])
})

test('undoing does not return a ticket to an operator who has left or to a deleted department', async () => {
  const [leaver, sales] = [await makeOperator(db, acme), await makeDepartment(db, acme, 'Sales')]
  const { id } = await makeTicket(api, { operator_id: leaver.id, department_id: sales.id })
  await patch(id, { operator_id: null, department_id: null, priority: 'low' })
  await db`update operators set removed_at = now() where project_id = ${acme.id} and id = ${leaver.id}`
  await db`delete from departments where project_id = ${acme.id} and id = ${sales.id}`
  const body = await undoNewest(id)
  assert.deepEqual(body.undone, ['priority'])
  const nothing = { reason: 'not_found', by: null, at: null }
  assert.deepEqual(
    body.kept,
    ['operator_id', 'department_id'].map(field => ({ field, ...nothing })),
  )
})

test('creations, ratings and merges cannot be undone', async () => {
  const ticket = await makeTicket(api)
  const assertFinal = async (id: string, reason: string) =>
    assertEnvelope(await undo(id, (await newest(id)).id), 409, 'CHANGE_NOT_UNDOABLE', { reason })
  await assertFinal(ticket.id, 'created')
  await api.post(`/tickets/${ticket.id}/rate`, { rating: 5 })
  await assertFinal(ticket.id, 'rated')
  const other = await makeTicket(api)
  await api.post(`/tickets/${other.id}/merge`, { into_ticket_id: ticket.id, force: true })
  await assertFinal(other.id, 'other_operation')
  await assertFinal(ticket.id, 'other_operation')
  assert.equal((await newest(other.id)).can_undo, false)
  const { id: into_contact_id } = await makeContact(api)
  await api.post(`/contacts/${ticket.contact_id}/merge`, { into_contact_id })
  await assertFinal(ticket.id, 'other_operation')
})

test('a change cannot be undone after the ticket has been merged', async () => {
  const [source, target] = [await makeTicket(api), await makeTicket(api)]
  await patch(source.id, { priority: 'high' })
  const change = await newest(source.id)
  await api.post(`/tickets/${source.id}/merge`, { into_ticket_id: target.id, force: true })
  assertEnvelope(await undo(source.id, change.id), 409, 'CHANGE_NOT_UNDOABLE', { reason: 'merged' })
})

test('the id of a change of another ticket or another project is unknown', async () => {
  const [ours, other] = [await makeTicket(api), await makeTicket(api)]
  const theirs = await makeTicket(outsider)
  await patch(ours.id, { priority: 'high' })
  const change = await newest(ours.id)
  const unknown = { field: 'id', reason: 'not_found' }
  assertEnvelope(await undo(other.id, change.id), 422, 'VALIDATION_ERROR', unknown)
  const foreign = await outsider.post(`/tickets/${theirs.id}/undo`, { id: change.id })
  assertEnvelope(foreign, 422, 'VALIDATION_ERROR', unknown)
  assertEnvelope(await outsider.post(`/tickets/${ours.id}/undo`, { id: change.id }), 404, 'TICKET_NOT_FOUND')
  assert.equal((await api.get(`/tickets/${ours.id}`)).body.priority, 'high')
})

test('with If-Match, a change is undone only if the ticket still has that version', async () => {
  const { id } = await makeTicket(api)
  const { version } = (await patch(id, { priority: 'high' })).body
  const change = await newest(id)
  assert.equal((await undo(id, change.id, { 'If-Match': `"${version - 1}"` })).status, 412)
  assert.equal((await undo(id, change.id, { 'If-Match': `"${version}"` })).status, 200)
})

test('if several requests undo a change at the same time, it is undone once', async () => {
  const { id } = await makeTicket(api)
  await patch(id, { priority: 'high', tags: ['a'] })
  const change = await newest(id)
  const answers = await Promise.all([1, 2, 3, 4].map(() => undo(id, change.id)))
  assert.deepEqual(answers.map(({ body }) => body.undone.length).toSorted(), [0, 0, 0, 2])
  assert.equal((await historyOf(id)).filter(({ undoes }) => undoes === change.id).length, 1)
})

test('an undo never overwrites a change that is made at the same time, and the history shows their order', async () => {
  for (let round = 0; round < 8; round++) {
    const { id } = await makeTicket(api)
    await patch(id, { priority: 'high' })
    const change = await newest(id)
    const [undone] = await Promise.all([undo(id, change.id), patch(id, { priority: 'urgent' })])
    assert.equal((await api.get(`/tickets/${id}`)).body.priority, 'urgent')
    const [last] = await historyOf(id)
    const from = undone.body.undone.length ? 'normal' : 'high'
    assert.deepEqual(last!.changes, [{ field: 'priority', from, to: 'urgent' }])
  }
})
