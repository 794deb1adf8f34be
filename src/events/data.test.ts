import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type LoggedEvent,
  listEvents,
  makeDepartment,
  makeFile,
  makeMessage,
  makeOperator,
  makeTicket,
} from '../../test/cast.ts'
import { startServer } from '../../test/server.ts'
import { compileBody } from '../core/http/validate.ts'
import { wakeTickets } from '../tickets/tickets.ts'
import { catalogue, eventTypes, subscribable } from './catalogue.ts'

const server = await startServer({ delivers: false })
const { api, db, acme } = server
after(() => server.close())

/** Spec 6.5: the names, and the data fields of those that tickets and messages cause. */
const named =
  `ticket.created ticket.updated ticket.assigned ticket.transferred ticket.force_taken ticket.closed
  ticket.reopened ticket.rated message.created message.edited message.reaction.added message.reaction.removed
  contact.created contact.identified visitor.reply_waiting operator.status.changed billing.payment_received
  billing.payment_failed billing.plan_renewed billing.plan_changed billing.plan_downgraded billing.balance_low
  billing.subscription_expired webhook.test`.split(/\s+/)

const fields: Record<string, string> = {
  'ticket.created': 'ticket_id status priority contact_id subject',
  'ticket.assigned': 'ticket_id operator_id operator_name operator_avatar_url status',
  'ticket.transferred': 'ticket_id department_id department_name operator_id operator_name',
  'ticket.closed': 'ticket_id closed_at resolution_secs',
  'ticket.reopened': 'ticket_id status',
  'ticket.rated': 'ticket_id rating comment',
  'message.created':
    'id message_id ticket_id sender_type sender_id sender_name content is_internal media created_at',
  'message.edited': 'id message_id ticket_id content is_internal edited_at',
}
const updated = ['ticket_id workspace_id', 'ticket_id status previous_status cause']
const setOf = (words: string) => words.split(' ').sort()

let events: LoggedEvent[] = []
const ofType = (type: string) => events.filter(event => event.type === type)
const last = (type: string) => ofType(type).at(-1)!.data

/** A ticket that goes through everything that the API can do to it. */
before(async () => {
  const [operator, department] = [await makeOperator(db, acme), await makeDepartment(db, acme)]
  const file = await makeFile(db, acme)
  const ticket = await makeTicket(api, { subject: 'Life', content: 'Hello', priority: 'high' })
  const path = `/tickets/${ticket.id}`
  const message = await makeMessage(api, ticket.id, { content: 'Note', is_internal: true, media_ids: [file] })
  await api.patch(`/messages/${message.id}`, { content: 'Better' })
  await api.patch(path, { operator_id: operator.id })
  await api.patch(path, { department_id: department.id })
  await api.patch(path, { status: 'on_hold', snoozed_until: '2999-01-01' })
  await db`update tickets set snoozed_until = now() - interval '1 s' where id = ${ticket.id}`
  await wakeTickets(db, server.acme.id)
  await api.post(`${path}/close`, { comment: 'Done' })
  await api.post(`${path}/reopen`)
  await api.post(`${path}/rate`, { rating: 4, comment: 'Fine' })
  await api.patch(path, { status: 'closed' })
  events = await listEvents(db, acme)
})

test('the catalogue has exactly the 24 names of the specification', () => {
  assert.deepEqual([...subscribable].sort(), [...named].sort())
  assert.equal(named.length, 24)
})

test('webhook.test is not stored in the log', () => {
  assert.ok(!(eventTypes as string[]).includes('webhook.test'))
})

for (const [type, words] of Object.entries(fields)) {
  test(`data of ${type} has exactly the fields of the specification`, () => {
    assert.ok(ofType(type).length > 0, 'it was never emitted')
    for (const { data } of ofType(type)) assert.deepEqual(Object.keys(data).sort(), setOf(words))
  })
}

test('the fields of ticket.updated depend on what caused it', () => {
  const sets = new Set(ofType('ticket.updated').map(({ data }) => Object.keys(data).sort().join(' ')))
  assert.deepEqual([...sets].sort(), updated.map(words => setOf(words).join(' ')).sort())
})

test('only events of tickets and messages were emitted, and each fits its schema', () => {
  for (const { type, data } of events) {
    assert.ok(type in fields || type === 'ticket.updated', type)
    compileBody(catalogue[type as keyof typeof catalogue])(structuredClone(data))
  }
})

test('times in data are UTC without an offset, with six fraction digits', () => {
  const times = [
    last('ticket.closed').closed_at,
    last('message.created').created_at,
    last('message.edited').edited_at,
  ]
  for (const time of times) assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/)
})

test('the data has the values of the records', async () => {
  const [ticket] = (await api.get('/tickets')).body.items
  const { id, contact_id, closed_at, resolution_secs } = ticket
  assert.deepEqual(ofType('ticket.created')[0]!.data, {
    ...{ ticket_id: id, status: 'new', priority: 'high', contact_id, subject: 'Life' },
  })
  assert.deepEqual(last('ticket.closed'), { ticket_id: id, closed_at, resolution_secs })
  const { items } = (await api.get(`/tickets/${id}/messages`)).body
  for (const { data } of ofType('message.created')) {
    const { id, ticket_id, sender_type, sender_id, sender_name, is_internal, created_at, media } = items.find(
      (item: { id: string }) => item.id === data.id,
    )
    const { content, media: files, ...rest } = data
    assert.deepEqual(rest, {
      ...{ id, message_id: id, ticket_id, sender_type, sender_id, sender_name, is_internal, created_at },
    })
    assert.equal(typeof content, 'string')
    assert.equal(files.length, media.length)
  }
})

test('in an event, a file has an internal URL and otherwise the same fields as in the API', () => {
  const [file] = ofType('message.created').flatMap(({ data }) => data.media)
  assert.match(file.url, new RegExp(`^/api/media/${file.id}`))
  const names = 'id filename content_type size kind width height duration url thumb_url'
  assert.deepEqual(Object.keys(file).sort(), setOf(names))
})
