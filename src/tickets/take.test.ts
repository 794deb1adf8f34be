import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventsOf, makeDepartment, makeTicket, nobody, unique } from '../../test/cast.ts'
import { assertEnvelope } from '../../test/client.ts'
import { joinCast, joinProject, type Person } from '../../test/operator.ts'
import { startServer } from '../../test/server.ts'

const server = await startServer({ delivers: false })
const { api, db, acme, rival } = server
let olga: Person
let omar: Person
let rita: Person

before(async () => {
  ;({ olga, omar, rita } = await joinCast(server))
})
after(() => server.close())

const lastWords = async (ticket: { id: string }) =>
  (await api.get(`/tickets/${ticket.id}/messages?order=desc&page_size=1`)).body.items[0]

const systemTypes = (events: { type: string; data: { sender_type?: string } }[]) =>
  events.map(({ type, data }) => data.sender_type ?? type)

test('taking an unassigned ticket assigns it to the operator', async () => {
  const ticket = await makeTicket(api)
  const events = await eventsOf(server, async () => {
    const { status, body } = await omar.api.post(`/tickets/${ticket.id}/take`)
    assert.deepEqual([status, body.operator_id, body.status], [200, omar.id, 'new'])
  })
  assert.deepEqual(systemTypes(events), ['ticket.updated', 'ticket.assigned', 'system'])
  assert.deepEqual(events[0]!.data, { ticket_id: ticket.id, cause: 'assigned' })
  assert.partialDeepStrictEqual(await lastWords(ticket), {
    content: 'Omar took the ticket',
    is_internal: true,
    system: { kind: 'ticket_assigned', data: { by: { id: omar.id, name: 'Omar' } } },
  })
  assert.deepEqual(await eventsOf(server, () => omar.api.post(`/tickets/${ticket.id}/take`)), [])
})

test('an assigned ticket is not taken, and the error names its operator', async () => {
  const ticket = await makeTicket(api, { operator_id: olga.id })
  const events = await eventsOf(server, async () =>
    assertEnvelope(await omar.api.post(`/tickets/${ticket.id}/take`), 409, 'TICKET_TAKEN', {
      operator_id: olga.id,
      operator_name: 'Olga',
    }),
  )
  assert.deepEqual(events, [])
})

test('if two operators take a ticket at once, one gets it', async () => {
  for (let round = 0; round < 5; round++) {
    const { id } = await makeTicket(api)
    const answers = await Promise.all([olga, omar].map(who => who.api.post(`/tickets/${id}/take`)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  }
})

test('a ticket can be taken over from another operator', async () => {
  const ticket = await makeTicket(api, { operator_id: olga.id })
  const events = await eventsOf(server, async () => {
    const { body } = await omar.api.post(`/tickets/${ticket.id}/force-take`)
    assert.equal(body.operator_id, omar.id)
  })
  assert.deepEqual(systemTypes(events), ['ticket.force_taken', 'ticket.updated', 'ticket.assigned', 'system'])
  assert.deepEqual(events[0]!.data, {
    ticket_id: ticket.id,
    operator_id: omar.id,
    previous_operator_id: olga.id,
  })
  assert.equal((await lastWords(ticket)).content, 'Omar took the ticket over from Olga')
})

test('force-take of an unassigned ticket or an own one emits no ticket.force_taken', async () => {
  const ticket = await makeTicket(api)
  const events = await eventsOf(server, async () => {
    await omar.api.post(`/tickets/${ticket.id}/force-take`)
    await omar.api.post(`/tickets/${ticket.id}/force-take`)
  })
  assert.deepEqual(systemTypes(events), ['ticket.updated', 'ticket.assigned', 'system'])
})

test('if two operators take a ticket over at once, each event has the right previous operator', async () => {
  const { id } = await makeTicket(api, { operator_id: olga.id })
  const nina = await joinProject(server, acme, { name: 'Nina' })
  const events = await eventsOf(server, () =>
    Promise.all([omar, nina].map(who => who.api.post(`/tickets/${id}/force-take`))),
  )
  const taken = events.filter(({ type }) => type === 'ticket.force_taken').map(({ data }) => data)
  assert.equal(taken[0].previous_operator_id, olga.id)
  assert.equal(taken[1].previous_operator_id, taken[0].operator_id)
})

test('a ticket is moved to a department, unassigned or assigned to one person', async () => {
  const ticket = await makeTicket(api, { operator_id: omar.id })
  const department = await makeDepartment(db, acme, unique())
  const transfer = (fields: object) => omar.api.post(`/tickets/${ticket.id}/transfer`, fields)
  const events = await eventsOf(server, async () => {
    const { body } = await transfer({ department_id: department.id })
    assert.deepEqual([body.department_id, body.operator_id], [department.id, null])
  })
  assert.deepEqual(systemTypes(events), ['ticket.updated', 'ticket.transferred', 'system'])
  assert.deepEqual(events[1]!.data, {
    ticket_id: ticket.id,
    department_id: department.id,
    department_name: department.name,
    operator_id: null,
    operator_name: null,
  })
  const other = await makeDepartment(db, acme, unique())
  const more = await eventsOf(server, () => transfer({ department_id: other.id, operator_id: olga.id }))
  assert.deepEqual(systemTypes(more), ['ticket.updated', 'ticket.transferred', 'ticket.assigned', 'system'])
  assert.deepEqual([more[1]!.data.operator_name, more[2]!.data.operator_id], ['Olga', olga.id])
  assert.equal(
    (await lastWords(ticket)).content,
    `Omar moved the ticket to ${other.name} and assigned it to Olga`,
  )
  assert.deepEqual(
    await eventsOf(server, () => transfer({ department_id: other.id, operator_id: olga.id })),
    [],
  )
})

test('a department or an operator of Rival gets the same error as a missing one', async () => {
  const { id } = await makeTicket(api)
  const theirs = await makeDepartment(db, rival, unique())
  const ours = await makeDepartment(db, acme, unique())
  for (const department_id of [theirs.id, nobody, 'nope'])
    assertEnvelope(
      await omar.api.post(`/tickets/${id}/transfer`, { department_id }),
      422,
      'VALIDATION_ERROR',
      {
        field: 'department_id',
        reason: 'not_found',
      },
    )
  for (const operator_id of [rita.id, nobody])
    assertEnvelope(
      await omar.api.post(`/tickets/${id}/transfer`, { department_id: ours.id, operator_id }),
      422,
      'VALIDATION_ERROR',
      { field: 'operator_id' },
    )
})

test('an assignment by a person adds a system message, one by an integration does not', async () => {
  const ticket = await makeTicket(api)
  const mine = await eventsOf(server, () => omar.api.patch(`/tickets/${ticket.id}`, { operator_id: olga.id }))
  assert.deepEqual(systemTypes(mine), ['ticket.updated', 'ticket.assigned', 'system'])
  assert.deepEqual(mine[0]!.data, { ticket_id: ticket.id, workspace_id: acme.id })
  assert.equal((await lastWords(ticket)).content, 'Omar assigned the ticket to Olga')
  const theirs = await eventsOf(server, () => api.patch(`/tickets/${ticket.id}`, { operator_id: null }))
  assert.deepEqual(systemTypes(theirs), ['ticket.updated'])
})

test('Rival can neither take nor move a ticket of Acme', async () => {
  const { id } = await makeTicket(api)
  for (const path of ['take', 'force-take', 'transfer'])
    assertEnvelope(
      await rita.api.post(`/tickets/${id}/${path}`, { department_id: nobody }),
      404,
      'TICKET_NOT_FOUND',
    )
  assert.equal((await api.get(`/tickets/${id}`)).body.operator_id, null)
})
