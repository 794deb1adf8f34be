import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Endpoint } from '../../src/core/endpoint.ts'
import {
  listEvents,
  makeContact,
  makeDepartment,
  makeMessage,
  makeOperator,
  makeTicket,
  nobody,
} from '../cast.ts'
import { type Answer, assertBrief, assertProblems, type Client } from '../client.ts'
import { operations } from '../conventions/operations.ts'
import { makeChannelWithMessage } from '../custom-channel.ts'
import { makeArticle } from '../knowledge.ts'
import { storeMail } from '../mail.ts'
import { startServer } from '../server.ts'
import { makePicture } from '../upload.ts'

/** Rules that hold for every operation of the API. */

const server = await startServer({ delivers: false })
const { api, outsider, stranger, db, acme } = server
after(() => server.close())

const routes = operations.filter(route => !route.isPublic)

const ticket = await makeTicket(api, { content: 'Ours', tags: ['vip', 'beta'] })
const ours: Record<string, string> = {
  ticket_id: ticket.id,
  message_id: (await makeMessage(api, ticket.id)).id,
  contact_id: ticket.contact_id,
  into_contact_id: (await makeContact(api)).id,
  identity: `email:${ticket.contact.email}`,
  webhook_id: (await api.post('/webhooks', { url: 'http://127.0.0.1:9/' })).body.id,
  media_id: (await makePicture(api)).id,
  organization_id: (await api.post('/organizations', { name: 'Northwind' })).body.id,
  rule_id: (await api.post('/sender-rules', { pattern: 'spam.example', verdict: 'blocked' })).body.id,
}
await makeMessage(api, ticket.id)
const category = ['Account', 'Passwords']
const article = await makeArticle(db, acme, { category })
await makeArticle(db, acme, { category })
ours.article_id = article.id
ours.category_id = (await api.get(`/knowledge-base/articles/${article.id}`)).body.category_id
for (const name of ['Omar', 'Olga']) ours.operator_id = (await makeOperator(db, acme, name)).id
for (const name of ['Billing', 'Sales']) await makeDepartment(db, acme, name)
for (const key of ['order', 'plan'])
  await db`insert into custom_fields (project_id, id, record, key, label, type, options, is_required, position)
    values (${acme.id}, gen_random_uuid(), 'ticket', ${key}, ${key}, 'text', '{}', false, 0)`
for (const address of ['help@example.com', 'sales@example.com'])
  await db`
    with mailbox as (
      insert into mailboxes (project_id, id, address, incoming)
      values (${acme.id}, gen_random_uuid(), ${address}, 'listen') returning project_id, id)
    insert into incoming_mails (project_id, id, mailbox_id, source, size, received_at, state, outcome)
    select project_id, gen_random_uuid(), id, 'smtp', 1, now(), 'done', 'ticket' from mailbox`
const furnished = await makeChannelWithMessage(db, acme, api)
ours.channel_id = furnished.channel_id
ours.external_id = furnished.external_id
await makeChannelWithMessage(db, acme, api)
ours.mail_id = await storeMail(server, acme)
await api.post('/import/our-archive/contacts', { items: [{ source_id: '7' }] })
ours.source = 'our-archive'
for (let count = 0; count < 2; count++) {
  const { id } = await makeTicket(api)
  ours.deletion_id = (await api.request('DELETE', `/tickets/${id}`)).body.id
}
ours.delivery_id = (await api.get(`/webhooks/${ours.webhook_id}/deliveries`)).body.items[0].id

const importedTicket = {
  source_id: '42',
  status: 'closed',
  contact: { source_id: '7' },
  created_at: '2020-01-01',
}
const importedLater = {
  ...{ ticket: '42', source_id: '1', author: { type: 'contact' }, content: 'x', created_at: '2020-01-01' },
}

/** Valid bodies for the operations that need one. */
const bodies: Record<string, unknown> = {
  'POST /tickets': { contact: { email: 'ann@example.com' } },
  'POST /tickets/{ticket_id}/rate': { rating: 5 },
  'POST /tickets/{ticket_id}/undo': { id: nobody },
  'POST /tickets/{ticket_id}/merge': { into_ticket_id: nobody },
  'POST /tickets/{ticket_id}/messages': { content: 'x' },
  'PUT /tickets/{ticket_id}/drafts/{operator_id}': { content: 'x' },
  'PUT /tickets/{ticket_id}/participants': { participants: [] },
  'POST /mail-log/{mail_id}/move': { ticket_id: nobody },
  'POST /messages/{message_id}/reschedule': { send_at: null },
  'POST /messages/{message_id}/forward': { content: 'x', email: { to: ['tom@example.com'] } },
  'POST /sender-rules': { pattern: 'spam.example', verdict: 'blocked' },
  'POST /import/{source}/contacts': { items: [{ source_id: '7' }] },
  'POST /import/{source}/tickets': { items: [importedTicket] },
  'POST /import/{source}/messages': { items: [importedLater] },
  'POST /channels/{channel_id}/messages': {
    external_id: 'm-1',
    contact: { external_id: 'u-1' },
    content: 'x',
  },
  'PATCH /channels/{channel_id}/messages/{external_id}': { content: 'x' },
  'POST /channels/{channel_id}/deliveries': { message_id: nobody, status: 'sent' },
  'POST /contacts': { email: 'ann@example.com' },
  'POST /contacts/{contact_id}/merge': { into_contact_id: nobody },
  'POST /organizations': { name: 'Southwind' },
  'POST /contacts/{contact_id}/identities': { type: 'email', value: 'ben@example.com' },
  'POST /contacts/{contact_id}/identities/{identity}/move': { into_contact_id: nobody },
  'POST /contacts/{contact_id}/identities/{identity}/verify': { code: '123456' },
  'POST /webhooks': { url: 'http://127.0.0.1:9/' },
}
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

function bodyOf(route: Endpoint): unknown {
  if (nameOf(route) in bodies) return bodies[nameOf(route)]
  if (!route.body) return undefined
  return route.path.includes('message_id') ? { content: 'x' } : {}
}

const fill = (path: string, idOf: (name: string) => string) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(idOf(name)))

const call = (client: Client, route: Endpoint, idOf: (name: string) => string, body = bodyOf(route)) =>
  client.request(route.method, fill(route.path, idOf), body)

const ourId = (name: string) => ours[name]!

/** Whether the caller chooses the name in the path. Another project may have an import with the same name. */
const choosesName = ({ method, path }: Endpoint) => method === 'POST' && path.startsWith('/import/{source}/')

/** The response without the request id. */
const shapeOf = ({ status, text }: Answer) => [status, text.replace(/"request_id":"[^"]*"/, '')]

test('the test has an id for every path parameter', () => {
  for (const { path } of routes) {
    for (const [, name] of path.matchAll(/\{(\w+)\}/g)) assert.ok(ours[name!], `${name} of ${path}`)
  }
  assert.ok(routes.length >= 25)
})

for (const route of routes) {
  test(`${nameOf(route)} answers 401 without a key`, async () => {
    const answer = await call(stranger, route, ourId)
    assertBrief(answer, 401)
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
  })

  if (!route.path.includes('{') || choosesName(route)) continue

  test(`spec 4.2 missing records, spec 7.1 404: ${nameOf(route)} answers 404 to an unknown id, however it is written`, async () => {
    const upper = (name: string) => ourId(name).toUpperCase()
    const odd = ['nope', '0', 'null', '%', ' ', "'", '...', '\0', '🦓', 'x'.repeat(3_000)]
    const spellings = [
      upper,
      (name: string) => `{${ourId(name)}}`,
      (name: string) => ourId(name).replaceAll('-', ''),
    ]
    const wrong = [...spellings, ...[nobody, ...odd].map(one => () => one)]
    for (const idOf of wrong) {
      const answer = await call(api, route, idOf)
      assert.equal(answer.status, 404, `${idOf('ticket_id').slice(0, 50)}: ${answer.text}`)
      assert.ok(answer.headers.get('x-request-id'))
    }
  })

  test(`${nameOf(route)} treats our ids like missing ones for Rival`, async () => {
    const before = await listEvents(db, acme)
    const [foreign, missing] = [await call(outsider, route, ourId), await call(outsider, route, () => nobody)]
    assert.equal(foreign.status, 404, foreign.text)
    assert.deepEqual(shapeOf(foreign), shapeOf(missing))
    assert.deepEqual(await listEvents(db, acme), before)
  })
}

for (const route of routes.filter(route => route.body)) {
  test(`${nameOf(route)} reports malformed JSON and a body that is not an object before a missing id`, async () => {
    const path = fill(route.path, () => nobody)
    for (const raw of ['{', '[]', '7'])
      assertProblems(await api.request(route.method, path, undefined, { raw }))
  })
}

const lists = routes.filter(({ method, responses }) => {
  const schema = responses[200] as { properties?: object } | undefined
  return method === 'GET' && 'next_cursor' in (schema?.properties ?? {})
})

for (const route of lists) {
  test(`${nameOf(route)} pages like every list`, async () => {
    const path = fill(route.path, ourId)
    for (const query of [
      'page_size=0',
      'page_size=101',
      'page_size=abc',
      'page=0',
      'cursor=garbage',
      'count=7',
    ]) {
      assertProblems(await api.get(`${path}?${query}`), `query.${query.split('=')[0]}`)
    }
    assertProblems(await api.get(`${path}?page=101&page_size=100`), 'query.page')
    const { status, body } = await api.get(`${path}?page_size=1&unknown=x`)
    assert.equal(status, 200)
    const names = ['items', 'page', 'page_size', 'total', 'pages', 'has_more', 'next_cursor']
    for (const name of names) assert.ok(name in body, name)
    assert.ok(body.items.length === 1 && body.total >= 1)
    const uncounted = (await api.get(`${path}?count=false`)).body
    assert.deepEqual([uncounted.total, uncounted.pages], [null, null])
  })

  test(`${nameOf(route)} rejects or ignores a forged cursor, and continues with a valid one`, async () => {
    const path = fill(route.path, ourId)
    for (const sort of ['-created_at', '+created_at', '-id', '+id', '-']) {
      for (const value of ['2026-99-99T99:99:99.000000', '7', 'null', '']) {
        const cursor = Buffer.from(`${sort}|${value}|${nobody}`).toString('base64url')
        const answer = await api.get(`${path}?cursor=${cursor}`)
        assert.ok([200, 422].includes(answer.status), `${sort}|${value}: ${answer.text}`)
      }
    }
    const first = (await api.get(`${path}?page_size=1`)).body
    if (!first.next_cursor) return assert.equal(first.total, 1)
    const second = (await api.get(`${path}?page_size=1&cursor=${first.next_cursor}`)).body
    assert.notDeepEqual(second.items[0], first.items[0])
  })
}

for (const [name, path] of [
  ['a ticket', '/tickets/'],
  ['a message', '/messages/'],
  ['a contact', '/contacts/'],
] as const) {
  test(`the ETag of ${name} is its version, which rises with every change`, async () => {
    const one = path + ours[`${path.slice(1, -2)}_id`]
    const versions: number[] = []
    for (const change of [
      { content: 'a', priority: 'low', note: 'a' },
      { content: 'b', priority: 'high', note: 'b' },
    ]) {
      for (const answer of [await api.get(one), await api.patch(one, change)]) {
        assert.equal(answer.headers.get('etag'), `"${answer.body.version}"`)
        versions.push(answer.body.version)
      }
    }
    const [first, second, third, fourth] = versions as [number, number, number, number]
    assert.ok(first < second && second === third && third < fourth, String(versions))
  })
}

test('the lists include tickets, messages, contacts and deliveries', async () => {
  await makeContact(api)
  assert.ok(lists.length >= 5)
})

for (const path of new Set(routes.map(route => route.path))) {
  test(`${path} answers 405 to every unsupported method`, async () => {
    const known = new Set(routes.filter(route => route.path === path).map(route => route.method as string))
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      if (known.has(method)) continue
      const answer = await api.request(method, fill(path, ourId), method === 'GET' ? undefined : {})
      assertBrief(answer, 405, 'Method Not Allowed')
      assert.deepEqual(answer.headers.get('allow')?.split(', ').includes(method), false)
    }
  })
}
