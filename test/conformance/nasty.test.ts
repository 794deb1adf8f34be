import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Endpoint } from '../../src/core/endpoint.ts'
import { makeMessage, makeTicket, nobody } from '../cast.ts'
import { type Answer, assertEnvelope, assertShape } from '../client.ts'
import { operations, titleOf } from '../conventions/operations.ts'
import { startServer } from '../server.ts'

/**
 * Sends each of these values in each field of each operation. Each response must be a success or one of the
 * three shapes, never a 5xx.
 */

const values: Record<string, string> = {
  'an empty text': '""',
  'a blank text': '" \\t\\n "',
  'a NUL': '"a\\u0000b"',
  'a lone surrogate': '"\\ud800"',
  'a right-to-left mark': '"\\u202e"',
  'an emoji of many parts': '"👩‍👩‍👧‍👦"',
  SQL: '"\'; drop table tickets; --"',
  'a long text': `"${'x'.repeat(70_000)}"`,
  'open brackets': `"${'['.repeat(70_000)}"`,
  '2^63': '9223372036854775808',
  '1e400': '1e400',
  'minus zero': '-0.0',
  'the year 294277': '"+294277-01-09T04:00:54.775807Z"',
  'the 30th of February': '"2026-02-30"',
  'infinity as a time': '"infinity"',
  'another kind of id': '"0197F3C2-6A1E-7C3A-9D0B-3F0A5F2C9B11"',
  'an object': '{"a":{"b":1}}',
  'a prototype': '{"__proto__":{"is_admin":true},"constructor":{"prototype":1}}',
  'an empty list': '[]',
  'a list of lists': '[[[]]]',
  'a list of 20,000': `[${'"x",'.repeat(19_999)}"x"]`,
  true: 'true',
  null: 'null',
}

const server = await startServer({ delivers: false })
const { api } = server
after(() => server.close())

const ticket = await makeTicket(api, { content: 'x' })
const ids: Record<string, string> = {
  ticket_id: ticket.id,
  message_id: (await makeMessage(api, ticket.id)).id,
  contact_id: ticket.contact_id,
  webhook_id: (await api.post('/webhooks', { url: 'http://127.0.0.1:9/' })).body.id,
}

const needed: Record<string, object> = {
  'POST /tickets': { contact: { email: 'ann@example.com' } },
  'POST /contacts': { email: 'ann@example.com' },
  'POST /webhooks': { url: 'http://127.0.0.1:9/' },
}

const pathOf = ({ path }: Endpoint) => path.replaceAll(/\{(\w+)\}/g, (_, name) => ids[name] ?? nobody)

function check(what: string, answer: Answer): void {
  const context = `${what} → ${answer.text.slice(0, 300)}`
  assert.ok(answer.status < 500, context)
  assert.doesNotThrow(() => assertShape(answer), context)
}

type Fields = { properties?: Record<string, Fields> }

const withBody = operations.filter(
  ({ body, path }) => (body as Fields | undefined)?.properties && !path.endsWith('/test'),
)

for (const route of withBody) {
  test(`${titleOf(route)} accepts or rejects every nasty value of every field`, async () => {
    const others = JSON.stringify(needed[titleOf(route)] ?? {}).slice(1, -1)
    for (const field of Object.keys((route.body as Fields).properties!)) {
      for (const [name, value] of Object.entries(values)) {
        const raw = `{${[others, `"${field}":${value}`].filter(Boolean).join()}}`
        check(`${field}: ${name}`, await api.request(route.method, pathOf(route), undefined, { raw }))
      }
    }
  })
}

const queried = operations.filter(({ query }) => query)

for (const route of queried) {
  test(`${titleOf(route)} accepts or rejects every nasty value of every parameter`, async () => {
    for (const parameter of Object.keys(route.query!.properties)) {
      for (const [name, value] of Object.entries(values)) {
        const text = value.replaceAll(/^"|"$/g, '').replaceAll('\\u0000', '\0').slice(0, 2_000)
        const query = encodeURIComponent(text.toWellFormed())
        // The timeout of 0 prevents waiting for events.
        check(`${parameter}: ${name}`, await api.get(`${pathOf(route)}?timeout=0&${parameter}=${query}`))
      }
    }
  })
}

test('rejects a body of 10 MB as too large', async () => {
  const answer = await api.post('/contacts', undefined, { raw: `"${'x'.repeat(10_000_000)}"` })
  assertEnvelope(answer, 413, 'PAYLOAD_TOO_LARGE')
})
