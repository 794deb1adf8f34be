import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, test } from 'node:test'
import fc from 'fast-check'
import type { Endpoint } from '../../src/core/endpoint.ts'
import { listEvents, makeMessage, makeTicket, nobody } from '../cast.ts'
import { assertShape } from '../client.ts'
import { operations } from '../conventions/operations.ts'
import { startServer } from '../server.ts'

/**
 * Sends random bodies to every operation that takes one. No response may be a 5xx, or have another shape than
 * the three.
 */

const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31))
const runs = 180
const atOnce = 6

const server = await startServer({ delivers: false })
const { api, rival, db } = server
after(() => server.close())

const routes = operations.filter(
  ({ method, path }) => ['POST', 'PATCH'].includes(method) && !path.endsWith('/test'),
)
const ticket = await makeTicket(api, { content: 'x' })
const ids: Record<string, string> = {
  ticket_id: ticket.id,
  message_id: (await makeMessage(api, ticket.id)).id,
  contact_id: ticket.contact_id,
  webhook_id: (await api.post('/webhooks', { url: 'http://127.0.0.1:9/' })).body.id,
}
await makeMessage(api, ticket.id)
ids.delivery_id = (await api.get(`/webhooks/${ids.webhook_id}/deliveries`)).body.items[0].id

const texts = [
  '',
  ' ',
  'a\0b',
  '\ud800',
  '\udc00\ud800',
  '🦓',
  '\u202e',
  "'; drop table tickets; --",
  '%s',
  '\\',
  '{}',
]
const times = [
  '2999-01-01',
  '294277-01-01T00:00:00Z',
  '-infinity',
  '0000-00-00',
  '9999-12-31T23:59:59.999999-23:59',
]
const words = [
  'new',
  'open',
  'pending',
  'on_hold',
  'closed',
  'high',
  'text',
  'markdown',
  'html',
  'ticket.closed',
]
const numbers = [0, -1, 1.5, 2 ** 31, 2 ** 53, 2 ** 63, 1e308, -0, 5e-324, 123456]
const longs = ['x'.repeat(256), '<b>'.repeat(500), '['.repeat(70_000)]

const nasty = fc.oneof(
  fc.constantFrom<unknown>(...texts, ...times, ...words, ...numbers, ...longs, ...Object.values(ids), nobody),
  fc.constantFrom<unknown>(true, false, null, [], {}, ['a', 'a'], [[]], [null], {
    __proto__: null,
    a: { b: 1 },
  }),
  fc.constantFrom<unknown>('ann@example.com', 'ANN@Example.com', 'user-42', '1042', `email:ann@example.com`),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 4 }),
  fc.array(fc.oneof(fc.string(), fc.integer()), { maxLength: 5 }),
  fc.jsonValue({ maxDepth: 3 }),
)

type Schema = { properties?: Record<string, Schema> }

/** Mostly an object with the fields of the operation, so that many bodies pass the schema. */
function arbitraryOf(
  schema: Schema | undefined,
  fields: Record<string, unknown> = {},
): fc.Arbitrary<unknown> {
  const known = Object.entries(schema?.properties ?? {}).map(([name, inner]) => [
    name,
    inner.properties
      ? fc.oneof({ weight: 4, arbitrary: arbitraryOf(inner, { email: 'ann@example.com' }) }, nasty)
      : nasty,
  ])
  const object = fc
    .record(Object.fromEntries(known), { requiredKeys: [] })
    .map(record => ({ ...fields, ...Object.fromEntries(Object.entries(record as object).slice(0, 3)) }))
  return fc.oneof({ weight: 8, arbitrary: object }, { weight: 1, arbitrary: nasty })
}

const needed: Record<string, Record<string, unknown>> = {
  'POST /tickets': { contact: { email: 'ann@example.com' } },
  'POST /contacts': { email: 'ann@example.com' },
  'POST /webhooks': { url: 'http://127.0.0.1:9/' },
}
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

/** The number of accepted requests. Fuzzing tests little if every request is rejected. */
let accepted = 0

async function send(route: Endpoint, body: unknown): Promise<void> {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name) => ids[name]!)
  const answer = await api.request(route.method, path, body)
  const context = `seed ${seed}: ${nameOf(route)} ${JSON.stringify(body)?.slice(0, 2_000)}\n→ ${answer.text}`
  assert.ok(answer.status < 500, context)
  if (answer.status < 300) accepted++
  assert.doesNotThrow(() => assertShape(answer), context)
}

test('there are enough operations for 2,000 requests', t => {
  t.diagnostic(`FUZZ_SEED=${seed}`)
  assert.ok(routes.length * runs >= 2_000, String(routes.length))
})

for (const route of routes) {
  test(`${nameOf(route)} with ${runs} random bodies (seed ${seed}) answers below 500 in one of the three shapes`, async () => {
    const arbitrary = arbitraryOf(route.body as Schema | undefined, needed[nameOf(route)])
    const bodies = fc.sample(arbitrary, { seed, numRuns: runs })
    for (let at = 0; at < bodies.length; at += atOnce) {
      await Promise.all(bodies.slice(at, at + atOnce).map(body => send(route, body)))
    }
  })
}

test('everything can still be read afterwards, and Rival received no event', async t => {
  t.diagnostic(`${accepted} of ${routes.length * runs} requests were accepted`)
  assert.ok(accepted > runs)
  for (const path of ['/tickets', '/contacts', '/webhooks', `/tickets/${ids.ticket_id}/messages`]) {
    assert.equal((await api.get(`${path}?page_size=100`)).status, 200)
  }
  assert.deepEqual(await listEvents(db, rival), [])
})
