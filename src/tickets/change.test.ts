import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventsOf, makeDepartment, makeOperator, makeTicket, nobody, typesOf } from '../../test/cast.ts'
import { assertBrief, assertEnvelope, assertProblems } from '../../test/client.ts'
import { startServer } from '../../test/server.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db, acme, rival } = server
after(() => server.close())

const change = (ticket: { id: string }, fields: object, headers = {}) =>
  api.patch(`/tickets/${ticket.id}`, fields, { headers })

async function changed(ticket: { id: string }, fields: object) {
  const answer = await change(ticket, fields)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

test('a ticket can be read, changed and closed by its short_id too', async () => {
  const ticket = await makeTicket(api)
  assert.deepEqual((await api.get(`/tickets/${ticket.short_id}`)).body, ticket)
  const patched = await api.patch(`/tickets/${ticket.short_id}`, { subject: 'By number' })
  assert.deepEqual([patched.status, patched.body.id, patched.body.subject], [200, ticket.id, 'By number'])
  assert.equal((await api.post(`/tickets/${ticket.short_id}/close`)).body.id, ticket.id)
})

test('a short_id refers only to a ticket of the same project, and an invalid one is 404', async () => {
  const ticket = await makeTicket(api)
  const theirs = await outsider.get(`/tickets/${ticket.short_id}`)
  assert.notEqual(theirs.body.id, ticket.id)
  for (const wrong of ['0', '999999999', `0${ticket.short_id}x`, '9'.repeat(19), '9'.repeat(40), '-1']) {
    assertEnvelope(await api.get(`/tickets/${wrong}`), 404, 'TICKET_NOT_FOUND')
  }
})

test('spec 4.2 PATCH tickets: only the sent fields change', async () => {
  const ticket = await makeTicket(api, {
    subject: 'Old',
    tags: ['a'],
    custom_fields: { n: 1 },
    priority: 'low',
  })
  const body = await changed(ticket, { subject: 'New' })
  const { updated_at, version, ...rest } = body
  const { updated_at: before, version: first, ...old } = ticket
  assert.deepEqual(rest, { ...old, subject: 'New' })
  assert.ok(updated_at > before)
  assert.ok(version > first)
})

test('tags are replaced', async () => {
  const ticket = await makeTicket(api, { tags: ['a', 'b'] })
  assert.deepEqual((await changed(ticket, { tags: ['c'] })).tags, ['c'])
  assert.deepEqual((await changed(ticket, { tags: [] })).tags, [])
})

test('custom_fields are merged, and null deletes a key', async () => {
  const ticket = await makeTicket(api, { custom_fields: { keep: 1, gone: 'x', other: true } })
  const { custom_fields } = await changed(ticket, {
    custom_fields: { gone: null, other: false, more: ['a', 2] },
  })
  assert.deepEqual(custom_fields, { keep: 1, other: false, more: ['a', 2] })
})

test('spec 4.2 PATCH tickets event: PATCH always emits ticket.updated with exactly ticket_id and workspace_id', async () => {
  const ticket = await makeTicket(api)
  const same = { status: 'new', priority: 'normal', subject: ticket.subject, tags: [] }
  for (const fields of [{}, { subject: 'X' }, { priority: 'high' }, { status: 'pending' }, same]) {
    if ('tags' in fields) await db`update tickets set status = 'new' where id = ${ticket.id}`
    const events = await eventsOf(server, () => changed(ticket, fields))
    assert.deepEqual(
      events.map(event => [event.type, event.data]),
      [['ticket.updated', { ticket_id: ticket.id, workspace_id: acme.id }]],
    )
  }
})

test('assigning and reassigning emit ticket.assigned too; the same operator or none does not', async () => {
  const [omar, olga] = [await makeOperator(db, acme), await makeOperator(db, acme, 'Olga')]
  const ticket = await makeTicket(api, { status: 'open' })
  const assign = (operator_id: string | null) => eventsOf(server, () => changed(ticket, { operator_id }))
  for (const { id, name } of [omar, olga]) {
    const events = await assign(id)
    assert.deepEqual(events.map(event => event.type).sort(), ['ticket.assigned', 'ticket.updated'])
    const fields = { ticket_id: ticket.id, operator_id: id, operator_name: name, status: 'open' }
    const { data } = events.find(event => event.type === 'ticket.assigned')!
    assert.deepEqual(data, { ...fields, operator_avatar_url: null })
  }
  assert.deepEqual(
    (await assign(olga.id)).map(event => event.type),
    ['ticket.updated'],
  )
  assert.deepEqual(
    (await assign(null)).map(event => event.type),
    ['ticket.updated'],
  )
  assert.equal((await api.get(`/tickets/${ticket.id}`)).body.operator, null)
})

test('moving to another department emits ticket.transferred, with the operator if there is one', async () => {
  const [department, operator] = [await makeDepartment(db, acme), await makeOperator(db, acme)]
  const ticket = await makeTicket(api)
  const fields = { department_id: department.id, operator_id: operator.id }
  const events = await eventsOf(server, () => changed(ticket, fields))
  const transferred = events.find(event => event.type === 'ticket.transferred')!
  const names = { department_name: 'Billing', operator_name: 'Omar' }
  assert.deepEqual(transferred.data, { ticket_id: ticket.id, ...fields, ...names })
  assert.ok(events.some(event => event.type === 'ticket.updated'))
  const again = await typesOf(server, () => changed(ticket, { department_id: department.id }))
  assert.deepEqual(again, ['ticket.updated'])
})

test('closing by PATCH emits ticket.closed too', async () => {
  const ticket = await makeTicket(api)
  const events = await eventsOf(server, () => changed(ticket, { status: 'closed' }))
  const types = events.map(event => event.type)
  assert.ok(types.includes('ticket.updated') && types.includes('ticket.closed'), String(types))
  const { data } = events.find(event => event.type === 'ticket.closed')!
  const { created_at, closed_at } = (await api.get(`/tickets/${ticket.id}`)).body
  const seconds = (Date.parse(`${closed_at}Z`) - Date.parse(`${created_at}Z`)) / 1_000
  assert.deepEqual(data, { ticket_id: ticket.id, closed_at, resolution_secs: Math.floor(seconds) })
})

test("operators and departments that are Rival's, unknown or malformed are VALIDATION_ERROR and change nothing", async () => {
  const ticket = await makeTicket(api)
  const foreign = {
    operator_id: (await makeOperator(db, rival)).id,
    department_id: (await makeDepartment(db, rival)).id,
  }
  for (const [field, value] of Object.entries(foreign)) {
    for (const one of [value, nobody, 'nope', '']) {
      const answer = await change(ticket, { subject: 'No', [field]: one })
      assertEnvelope(answer, 422, 'VALIDATION_ERROR', { field })
    }
  }
  assert.deepEqual((await api.get(`/tickets/${ticket.id}`)).body, ticket)
})

test('a value of the wrong type in any field is a schema mismatch', async () => {
  const ticket = await makeTicket(api)
  const wrong = {
    ...{ subject: 1, status: null, priority: 'top', operator_id: 5, department_id: false, tags: 'a' },
    ...{ custom_fields: [], snoozed_until: 'tomorrow', external_id: {}, is_spam: 'yes' },
  }
  for (const [field, value] of Object.entries(wrong)) {
    assertProblems(await change(ticket, { [field]: value }), `body.${field}`)
  }
  const all = (await change(ticket, wrong)).body.detail
  assert.equal(new Set(all.map((problem: { loc: string[] }) => problem.loc[1])).size, 10)
})

test('unknown and read-only fields are ignored', async () => {
  const ticket = await makeTicket(api)
  const forged = { id: nobody, short_id: '7', workspace_id: rival.id, rating: 5, contact_id: nobody, x: 1 }
  const { updated_at: _1, version: _2, ...rest } = await changed(ticket, forged)
  const { updated_at: _3, version: _4, ...old } = ticket
  assert.deepEqual(rest, old)
})

test('If-Match with a stale version is 412 in the brief form, changes nothing and emits no event', async () => {
  const ticket = await makeTicket(api)
  const etag = (await api.get(`/tickets/${ticket.id}`)).headers.get('etag')!
  assert.equal(etag, `"${ticket.version}"`)
  const first = await change(ticket, { subject: 'One' }, { 'if-match': etag })
  assert.equal(first.status, 200)
  assert.equal(first.headers.get('etag'), `"${first.body.version}"`)
  assert.notEqual(first.headers.get('etag'), etag)
  const events = await eventsOf(server, async () =>
    assertBrief(await change(ticket, { subject: 'Two' }, { 'if-match': etag }), 412),
  )
  const refused = await change(ticket, { subject: 'Two' }, { 'if-match': etag })
  assert.equal(refused.headers.get('etag'), first.headers.get('etag'), 'the current version')
  assert.deepEqual(events, [])
  assert.equal((await api.get(`/tickets/${ticket.id}`)).body.subject, 'One')
  assert.equal((await change(ticket, { subject: 'Three' })).status, 200)
})

test('an invalid If-Match is a schema mismatch, and * matches every version', async () => {
  const ticket = await makeTicket(api)
  for (const header of ['1', 'x', '""', '"a"', '"1", "2"', '"99999999999999999999"']) {
    assertProblems(await change(ticket, {}, { 'if-match': header }), 'header.if-match')
  }
  assert.equal((await change(ticket, {}, { 'if-match': '*' })).status, 200)
})

test('of 20 simultaneous PATCHes with the same version, exactly one succeeds', async () => {
  const ticket = await makeTicket(api)
  const calls = Array.from({ length: 20 }, (_, at) =>
    change(ticket, { subject: `S${at}` }, { 'if-match': `"${ticket.version}"` }),
  )
  const statuses = (await Promise.all(calls)).map(answer => answer.status)
  assert.deepEqual([statuses.filter(s => s === 200).length, statuses.filter(s => s === 412).length], [1, 19])
})

test('the response to POST has the ETag of the new ticket', async () => {
  const answer = await api.post('/tickets', { contact: { email: 'etag@example.com' } })
  assert.equal(answer.headers.get('etag'), `"${answer.body.version}"`)
})

test('a rating is stored, emitted with its comment, and replaced by the next one', async () => {
  const ticket = await makeTicket(api, { status: 'closed' })
  const rate = (body: object) => eventsOf(server, () => api.post(`/tickets/${ticket.id}/rate`, body))
  const first = await rate({ rating: 2, comment: 'Slow' })
  assert.deepEqual(first.find(event => event.type === 'ticket.rated')!.data, {
    ...{ ticket_id: ticket.id, rating: 2, comment: 'Slow' },
  })
  assert.ok(first.every(event => ['ticket.rated', 'message.created'].includes(event.type)))
  const second = await rate({ rating: 5 })
  const { data } = second.find(event => event.type === 'ticket.rated')!
  assert.deepEqual(data, { ticket_id: ticket.id, rating: 5, comment: null })
  const { body } = await api.get(`/tickets/${ticket.id}`)
  assert.partialDeepStrictEqual(body, { rating: 5, rating_comment: null, status: 'closed' })
})

test('spec 4.2 rating: a ticket can be rated in any status', async () => {
  for (const status of ['new', 'open', 'pending', 'on_hold', 'closed']) {
    const ticket = await makeTicket(api, { status })
    const answer = await api.post(`/tickets/${ticket.id}/rate`, { rating: 1 })
    assert.deepEqual([answer.status, answer.body.rating, answer.body.status], [200, 1, status])
  }
})

test('a rating that is out of range or of another type is a schema mismatch', async () => {
  const { id } = await makeTicket(api)
  for (const rating of [0, 6, -1, 2.5, '5', null, true, []]) {
    assertProblems(await api.post(`/tickets/${id}/rate`, { rating }), 'body.rating')
  }
  assertProblems(await api.post(`/tickets/${id}/rate`, {}), 'body.rating:missing')
  assertProblems(
    await api.post(`/tickets/${id}/rate`, { rating: 3, comment: 'x'.repeat(2001) }),
    'body.comment',
  )
  assert.equal((await api.post(`/tickets/${id}/rate`, { rating: 3, comment: 'é'.repeat(2000) })).status, 200)
  assertEnvelope(await outsider.post(`/tickets/${id}/rate`, { rating: 1 }), 404, 'TICKET_NOT_FOUND')
})
