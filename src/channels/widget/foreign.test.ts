import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limitTickets, makeFile, makeMessage, makeTicket, nobody, unique } from '../../../test/cast.ts'
import { type Answer, assertBrief, assertEnvelope } from '../../../test/client.ts'
import { makeArticle } from '../../../test/knowledge.ts'
import type { TestServer } from '../../../test/server.ts'
import { formOf, formType } from '../../../test/upload.ts'
import { ask, atWidget, begin, type Guest, originOf, startChat, switchOn } from '../../../test/widget.ts'
import type { Endpoint } from '../../core/endpoint.ts'
import { briefs } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { setMaintenance } from '../../projects/installation.ts'
import { widgetEndpoints } from './api.ts'

/** Whatever belongs to another visitor or project answers exactly as if it did not exist. */

const operations = widgetEndpoints({} as Parameters<typeof widgetEndpoints>[0])
const titleOf = ({ method, path }: Endpoint): string => `${method} ${path}`

type Ids = Record<string, string>
let server: TestServer
let ann: Guest
let eve: Guest
let rita: Guest
let own: Ids
const idsOf = new Map<Guest, Ids>()

async function furnish(guest: Guest): Promise<Ids> {
  const ticket = await ask(guest)
  const { items } = (await guest.api.get(`/tickets/${ticket.id}/messages`)).body
  const file = { raw: formOf({ content: 'Hello' }), headers: formType }
  const { body } = await guest.api.post('/files', undefined, file)
  return { ticket_id: ticket.id, message_id: items[0].id, media_id: body.id, emoji: '👍', article_id: nobody }
}

before(async () => {
  server = await startChat()
  await switchOn(server, server.acme)
  await switchOn(server, server.rival)
  ann = await begin(server)
  eve = await begin(server)
  rita = await begin(server, server.rival)
  for (const guest of [ann, eve, rita]) idsOf.set(guest, await furnish(guest))
  own = { ...idsOf.get(ann)!, article_id: (await makeArticle(server.db, server.acme)).id }
})
after(() => server.close())

const bodies: Record<string, object> = {
  'POST /tickets/{ticket_id}/messages': { content: 'x' },
  'POST /tickets/{ticket_id}/rating': { rating: 5 },
  'POST /tickets/{ticket_id}/typing': { tab: newId(), is_typing: true },
}

const request = ({ api }: Guest, operation: Endpoint, ids: Ids): Promise<Answer> =>
  api.request(
    operation.method,
    operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(ids[name]!)),
    bodies[titleOf(operation)],
  )

const withoutRequestId = ({ text }: Answer): string => text.replace(/"request_id":"[^"]*"/, '')

const strangers = { 'another visitor': () => eve, "Rival's visitor": () => rita }

for (const operation of operations) {
  const parameters = [...operation.path.matchAll(/\{(ticket_id|message_id|media_id)\}/g)].map(
    ([, name]) => name!,
  )
  for (const name of parameters) {
    for (const [who, guestOf] of Object.entries(strangers)) {
      test(`${titleOf(operation)} answers 404 to ${who} with a ${name} of Ann's`, async () => {
        const ids = idsOf.get(guestOf())!
        const theirs = await request(guestOf(), operation, { ...ids, [name]: own[name]! })
        const none = await request(guestOf(), operation, { ...ids, [name]: nobody })
        assert.equal(theirs.status, 404, theirs.text)
        assert.equal(withoutRequestId(theirs), withoutRequestId(none))
      })
    }
  }
}

for (const operation of operations.filter(({ isPublic }) => !isPublic)) {
  test(`${titleOf(operation)} answers 401 without a token and with a token of another project`, async () => {
    const token = rita.token
    for (const api of [atWidget(server, server.acme), atWidget(server, server.acme, token)])
      assertEnvelope(await request({ ...ann, api }, operation, own), 401, 'VISITOR_UNKNOWN')
  })
}

for (const operation of operations) {
  test(`${titleOf(operation)} answers 403 to a request from another site`, async () => {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, nobody)
    const sent: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ]
    for (const headers of sent) {
      const answer = await ann.api.request(operation.method, path, undefined, { headers })
      assertEnvelope(answer, 403, 'CROSS_SITE')
      assert.equal(answer.headers.get('access-control-allow-origin'), null)
    }
  })
}

test('refuses to attach a file of another visitor to a message', async () => {
  const loose = await makeFile(server.db, server.acme)
  for (const id of [idsOf.get(eve)!.media_id!, idsOf.get(rita)!.media_id!, loose, 'x']) {
    const answer = await ann.api.post('/tickets', { content: 'x', media_ids: [id] })
    assertEnvelope(answer, 422, 'VALIDATION_ERROR', { field: 'media_ids', reason: 'not_found' })
  }
})

test('answers 404 if the project of the path does not exist or is suspended, and 503 during maintenance', async () => {
  const at = (id: string) => atWidget(server, { ...server.acme, id }).get('/config')
  assertBrief(await at(nobody), 404, briefs.not_found[1])
  assertBrief(await at('x'), 404, briefs.not_found[1])
  await server.db`update projects set suspended_at = now() where id = ${server.rival.id}`
  assertBrief(await rita.api.get('/tickets'), 404, briefs.not_found[1])
  await server.db`update projects set suspended_at = null where id = ${server.rival.id}`
  await setMaintenance(server.db, true)
  assert.equal((await rita.api.get('/tickets')).status, 503)
  await setMaintenance(server.db, false)
})

test('no response of the widget allows other origins, and unknown paths answer 404', async () => {
  const { headers } = await atWidget(server, server.acme).get('/config')
  assert.equal(headers.get('access-control-allow-origin'), null)
  assertBrief(await ann.api.get('/nothing'), 404)
  assertBrief(await ann.api.put('/config', {}), 405)
  assertBrief(await fetchBrief(`${originOf(server)}/widget/frame/${nobody}`), 404)
})

async function fetchBrief(url: string): Promise<Answer> {
  const response = await fetch(url)
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
}

test('a visitor who uses up the rate limit does not affect other visitors', async () => {
  const tickets = await Promise.all(
    Array.from({ length: 11 }, () => eve.api.post('/tickets', { content: unique() })),
  )
  assert.equal(tickets.filter(({ status }) => status === 429).length >= 1, true)
  assertEnvelope(tickets.find(({ status }) => status === 429)!, 429, 'RATE_LIMIT_EXCEEDED')
  assert.equal((await ann.api.get('/tickets')).status, 200)
})

test('a visitor who knows the id of an API ticket or message cannot read it', async () => {
  await limitTickets(server.db, server.acme, 1_000)
  const ticket = await makeTicket(server.api)
  const message = await makeMessage(server.api, ticket.id)
  assertEnvelope(await ann.api.get(`/tickets/${ticket.id}`), 404, 'TICKET_NOT_FOUND')
  assertEnvelope(
    await ann.api.get(`/tickets/${own.ticket_id}/messages?before=${message.id}`),
    404,
    'MESSAGE_NOT_FOUND',
  )
})
