import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventsOf, listEvents, makeTicket, typesOf } from '../../test/cast.ts'
import { assertEnvelope, assertProblems } from '../../test/client.ts'
import { startServer } from '../../test/server.ts'

const server = await startServer({ delivers: false })
const { api, outsider, acme, db } = server
after(() => server.close())

const words = ['new', 'open', 'pending', 'on_hold', 'closed']

/** The table in api.md §1, row by row. A dot means that the status stays the same. */
const table: Record<string, string> = {
  new: '. ok ok ok ok',
  open: '422 . ok ok ok',
  pending: '422 ok . ok ok',
  on_hold: '422 ok ok . ok',
  closed: '422 422 422 422 409',
}

/** The statuses in `detail.allowed`, without the refused one. A closed ticket can only be reopened. */
const allowed = (from: string, to: string): string[] =>
  from === 'closed'
    ? ['open'].filter(word => word !== to)
    : words.filter((_, at) => table[from]!.split(' ')[at] === 'ok')

const ticketIn = (status: string) => makeTicket(api, { status })
const refusal = 'TICKET_INVALID_STATUS_TRANSITION'

async function refuseMove(ticket: { id: string }, from: string, to: string) {
  const answer = await api.patch(`/tickets/${ticket.id}`, { status: to })
  const detail = { field: 'status', reason: 'transition_not_allowed', from, to }
  assertEnvelope(answer, 422, refusal, detail)
  assert.deepEqual(answer.body.detail.allowed, allowed(from, to))
}

async function expectCell(cell: string, from: string, to: string) {
  const ticket = await ticketIn(from)
  const events = await typesOf(server, async () => {
    if (cell === '422') return refuseMove(ticket, from, to)
    const answer = await api.patch(`/tickets/${ticket.id}`, { status: to })
    if (cell === '409') return assertEnvelope(answer, 409, 'TICKET_ALREADY_CLOSED')
    assert.deepEqual([answer.status, answer.body.status], [200, to], answer.text)
  })
  const isRefused = /^4/.test(cell)
  assert.equal((await api.get(`/tickets/${ticket.id}`)).body.status, isRefused ? from : to)
  assert.equal(events.includes('ticket.updated'), !isRefused)
  assert.equal(events.includes('ticket.closed'), cell === 'ok' && to === 'closed')
}

for (const from of words) {
  table[from]!.split(' ').forEach((cell, at) => {
    const to = words[at]!
    test(`PATCH from ${from} to ${to}: ${cell === '.' ? 'no change' : cell}`, () =>
      expectCell(cell, from, to))
  })
}

test('an unknown status is a schema mismatch', async () => {
  const ticket = await ticketIn('new')
  assertProblems(await api.patch(`/tickets/${ticket.id}`, { status: 'solved' }), 'body.status:enum')
})

test('if a change of status is refused, nothing else in the same PATCH changes', async () => {
  const ticket = await ticketIn('open')
  await api.patch(`/tickets/${ticket.id}`, { status: 'new', subject: 'Other', tags: ['x'] })
  assert.deepEqual((await api.get(`/tickets/${ticket.id}`)).body, ticket)
})

test('spec 4.2 closing: closing sets closed_at, closed_by and resolution_secs', async () => {
  const ticket = await ticketIn('open')
  await db`update tickets set created_at = created_at - interval '90 s' where id = ${ticket.id}`
  const { status, body } = await api.post(`/tickets/${ticket.id}/close`)
  assert.equal(status, 200)
  assert.equal(body.status, 'closed')
  assert.equal(body.closed_by.type, 'api')
  const seconds = (Date.parse(`${body.closed_at}Z`) - Date.parse(`${body.created_at}Z`)) / 1_000
  assert.ok(seconds >= 90, `${seconds} s`)
  assert.equal(body.resolution_secs, Math.floor(seconds))
  assert.match(body.closed_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/)
})

test('closing emits ticket.closed and the system message, not ticket.updated', async () => {
  const ticket = await ticketIn('open')
  const events = await eventsOf(server, () => api.post(`/tickets/${ticket.id}/close`, {}))
  assert.deepEqual(events.map(event => event.type).sort(), ['message.created', 'ticket.closed'])
  const message = events.find(event => event.type === 'message.created')!
  assert.partialDeepStrictEqual(message.data, { sender_type: 'system', sender_id: null })
})

test('spec 7.1 409 TICKET_ALREADY_CLOSED: closing a closed ticket is refused with 409 and emits no event', async () => {
  const ticket = await ticketIn('closed')
  const events = await eventsOf(server, async () =>
    assertEnvelope(
      await api.post(`/tickets/${ticket.id}/close`, { comment: 'x' }),
      409,
      'TICKET_ALREADY_CLOSED',
    ),
  )
  assert.deepEqual(events, [])
})

test('a closing comment is an internal note unless is_internal is false', async () => {
  for (const [sent, isInternal] of [
    [{}, true],
    [{ is_internal: false }, false],
  ] as const) {
    const ticket = await ticketIn('open')
    await api.post(`/tickets/${ticket.id}/close`, { comment: 'Refunded.', ...sent })
    const { items } = (await api.get(`/tickets/${ticket.id}/messages?sender_type=bot`)).body
    assert.deepEqual(
      items.map((item: { content: string; is_internal: boolean }) => [item.content, item.is_internal]),
      [['Refunded.', isInternal]],
    )
  }
})

test('spec 4.2 reopening: reopening a closed ticket opens it and emits ticket.reopened', async () => {
  const ticket = await ticketIn('closed')
  const events = await eventsOf(server, async () => {
    const { status, body } = await api.post(`/tickets/${ticket.id}/reopen`)
    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, {
      status: 'open',
      closed_at: null,
      closed_by: null,
      reopened_count: 1,
    })
    assert.equal(body.resolution_secs, null)
  })
  assert.deepEqual(events.map(event => event.type).sort(), ['message.created', 'ticket.reopened'])
  const reopened = events.find(event => event.type === 'ticket.reopened')!
  assert.deepEqual(reopened.data, { ticket_id: ticket.id, status: 'open' })
})

test('spec 7.1 422 TICKET_INVALID_STATUS_TRANSITION: reopening a ticket that is not closed is an invalid move to open', async () => {
  for (const from of ['new', 'open', 'pending', 'on_hold']) {
    const ticket = await ticketIn(from)
    const answer = await api.post(`/tickets/${ticket.id}/reopen`)
    assertEnvelope(answer, 422, refusal, {
      field: 'status',
      reason: 'transition_not_allowed',
      from,
      to: 'open',
    })
  }
})

test('a merged ticket cannot be reopened: reason merged', async () => {
  const into = await ticketIn('open')
  const ticket = await makeTicket(api, { contact: { email: into.contact.email } })
  await api.post(`/tickets/${ticket.id}/merge`, { into_ticket_id: into.id })
  assertEnvelope(await api.post(`/tickets/${ticket.id}/reopen`), 422, refusal, { reason: 'merged' })
})

test('a reopening comment is posted', async () => {
  const ticket = await ticketIn('closed')
  await api.post(`/tickets/${ticket.id}/reopen`, { comment: 'Not solved yet' })
  const { items } = (await api.get(`/tickets/${ticket.id}/messages?sender_type=bot`)).body
  assert.deepEqual(
    items.map((item: { content: string }) => item.content),
    ['Not solved yet'],
  )
})

test('Rival cannot close, reopen or change a ticket of Acme', async () => {
  const ticket = await ticketIn('open')
  for (const act of ['close', 'reopen']) {
    assertEnvelope(await outsider.post(`/tickets/${ticket.id}/${act}`), 404, 'TICKET_NOT_FOUND')
  }
  assertEnvelope(await outsider.patch(`/tickets/${ticket.id}`, { status: 'closed' }), 404, 'TICKET_NOT_FOUND')
  assert.deepEqual((await api.get(`/tickets/${ticket.id}`)).body, ticket)
})

test('of 100 simultaneous closings, one succeeds, 99 get 409, and one event is emitted', async () => {
  const ticket = await ticketIn('open')
  const calls = Array.from({ length: 100 }, (_, at) =>
    at % 2
      ? api.post(`/tickets/${ticket.id}/close`)
      : api.patch(`/tickets/${ticket.id}`, { status: 'closed' }),
  )
  const statuses = (await Promise.all(calls)).map(answer => answer.status)
  assert.equal(statuses.filter(status => status === 200).length, 1)
  assert.equal(statuses.filter(status => status === 409).length, 99)
  const closed = (await listEvents(db, acme)).filter(
    event => event.type === 'ticket.closed' && event.data.ticket_id === ticket.id,
  )
  assert.equal(closed.length, 1)
})

test('closed_at is never before created_at, whatever the clock says', async () => {
  for (const close of [
    (id: string) => api.post(`/tickets/${id}/close`, {}),
    (id: string) => api.patch(`/tickets/${id}`, { status: 'closed' }),
  ]) {
    const { id } = await makeTicket(api)
    await db`update tickets set created_at = '2100-01-02T03:04:05.678901Z' where id = ${id}`
    const { body } = await close(id)
    assert.equal(body.closed_at, '2100-01-02T03:04:05.678901')
    assert.equal(body.resolution_secs, 0)
    const { body: found } = await api.get(
      '/tickets?closed_after=2100-01-01&created_after=2100-01-01&sort=-updated_at',
    )
    assert.ok(found.items.some((one: { id: string }) => one.id === id))
  }
})
