import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { finished } from 'node:stream/promises'
import { after, before, test } from 'node:test'
import { nobody } from '../cast.ts'
import { cpuTime } from '../cpu-time.ts'
import { joinProject } from '../operator.ts'
import { startServer, type TestServer } from '../server.ts'
import { begin, switchOn } from '../widget.ts'
import { type Place, placesOf, type Sent } from './texts.ts'

/** No text in any parameter of any route may block the process. */

let server: TestServer
const callers: Record<string, Record<string, string>> = {}

before(async () => {
  const many = 1e9
  server = await startServer({
    delivers: false,
    config: {
      rateLimitPerKey: many,
      rateLimitPerIp: many,
      rateLimitPerSession: many,
      rateLimitPerVisitor: many,
    },
  })
  await switchOn(server, server.acme)
  const guest = await begin(server)
  const origin = new URL(server.url).origin
  callers.openapi = { authorization: `Bearer ${server.acme.key.key}` }
  callers.widget = { authorization: `Bearer ${guest.token}`, origin }
  const owner = await joinProject(server, server.acme, { role: 'owner' })
  const cookie = [...owner.cookies].map(pair => pair.join('=')).join('; ')
  callers.dashboard = { cookie, origin, host: new URL(origin).host }
  callers.pages = { 'accept-language': 'en' }
})
after(async () => {
  agent.destroy()
  await server.close()
})

/** Node.js accepts 16 KB of URL and headers together. The last character prevents an early match. */
const room = 14_000
const half = (piece: string): string => piece.repeat(room / 2 / piece.length)
const texts = [`${half('?key')}${half('/')}x`, `${half('.')}${half(' ')}x`, `${half('a_')}${half('-')}=`]

/** CPU time in milliseconds. The slowest normal response takes a third of it. */
const maxMs = 100

/** Headers that the server reads: those that can cause a rejection, and those that cannot. */
const strictHeaders = 'authorization cookie origin content-type host'.split(' ')
const lenientHeaders =
  `accept accept-encoding accept-language idempotency-key if-match if-modified-since if-none-match
  if-range last-event-id range referer sec-fetch-site traceparent tracestate user-agent
  x-forwarded-for x-forwarded-proto x-request-id`.split(/\s+/)

type Headers = Record<string, string>

/** Encodes only spaces, as plus signs, so that the text keeps its length of 14,000 characters. */
const spellQuery = (query: Record<string, string>): string =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${value.replaceAll(' ', '+')}`)
    .join('&')

function addressOf(place: Place, { path, query }: Sent): string {
  const values: Record<string, string> = { project_id: server.acme.id, project: 'acme', ...path }
  const filled = place.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(values[name] ?? nobody).slice(0, room),
  )
  const waits: Record<string, string> = filled.endsWith('/updates') ? { timeout: '0' } : {}
  return `${filled}?${spellQuery({ ...waits, ...query })}`
}

const agent = new Agent({ keepAlive: true })

/** The CPU time and the status of one request. */
async function measure(place: Place, sent: Sent, headers: Headers) {
  const { port } = server.app.server.address() as AddressInfo
  const begun = cpuTime()
  const asked = request({
    host: '127.0.0.1',
    port,
    agent,
    method: place.method,
    path: addressOf(place, sent),
    headers: { ...(sent.body !== undefined && { 'content-type': 'application/json' }), ...headers },
  })
  asked.end(sent.body === undefined ? undefined : JSON.stringify(sent.body))
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  await finished(answer.resume())
  return { ms: cpuTime() - begun, status: answer.statusCode! }
}

/** A garbage collection may slow down one attempt, but not all three. */
async function assertQuick(place: Place, sent: Sent, headers: Headers): Promise<number> {
  let fastest = Number.POSITIVE_INFINITY
  let status = 0
  for (let attempt = 0; attempt < 3 && fastest > maxMs; attempt++) {
    const found = await measure(place, sent, headers)
    fastest = Math.min(fastest, found.ms)
    status = found.status
  }
  const title = `${place.method} ${place.path} ${place.name}`
  assert.ok(fastest <= maxMs, `${title}: ${Math.round(fastest)} ms`)
  assert.ok(status < 500, `${title}: ${status}`)
  return status
}

/** All lenient headers share the space of one request. */
async function askWithHeaders(place: Place, caller: Headers, text: string): Promise<void> {
  const part = text.slice(text.length / 2 - 300, text.length / 2 + 300)
  const sent = place.send(text)
  await assertQuick(place, sent, {
    ...caller,
    ...Object.fromEntries(lenientHeaders.map(name => [name, part.trim()])),
  })
}

async function ask(place: Place, caller: Headers, text: string): Promise<void> {
  if (place.name === 'headers') return askWithHeaders(place, caller, text)
  await assertQuick(place, place.send(text), caller)
}

/** Tries a short text first, which reveals cubic time before a long one would block the test. */
async function askAll(places: Place[], caller: Headers): Promise<void> {
  const inAddress = places.filter(({ name }) => name.startsWith('query')).slice(0, 3)
  for (const place of inAddress) await ask(place, caller, texts[0]!.slice(0, 2_000))
  // If a parameter takes at most 1,000 characters, the first text is enough.
  for (const [n, text] of texts.entries())
    for (const place of places) if (n === 0 || place.maxLength > 1_000) await ask(place, caller, text)
  for (const place of places.filter(({ name }) => name === 'headers').slice(0, 2))
    for (const name of [...strictHeaders, ...lenientHeaders])
      for (const text of texts) await assertQuick(place, place.send(''), { ...caller, [name]: text.trim() })
}

for (const document of ['openapi', 'dashboard', 'widget']) {
  test(`no text in a request of ${document}.json blocks the process`, async () => {
    const places = placesOf(document)
    assert.ok(places.length > 80)
    await askAll(places, callers[document]!)
  })
}

/** The other routes of Fastify: pages, their assets and sign-in. */
function listPages(): Place[] {
  const stack: string[] = []
  const paths = new Set<string>()
  for (const line of server.app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, before, part] = /^([│├└─ ]*)(\S+) \(/.exec(line) ?? []
    if (part === undefined) continue
    stack.length = before!.length / 4 - 1
    stack.push(part)
    paths.add(stack.join('').replaceAll(/\/+/g, '/'))
  }
  return [...paths]
    .filter(path => !/^\/api\/(?:v1|dashboard|widget)\//.test(path))
    .flatMap(path => pagePlaces(path.replaceAll(/:(\w+)/g, '{$1}').replace('*', '{rest}')))
}

function pagePlaces(path: string): Place[] {
  const one = (name: string, sent: (text: string) => Partial<Sent>): Place => ({
    method: 'GET',
    path,
    name,
    maxLength: Number.POSITIVE_INFINITY,
    send: text => ({ path: {}, query: {}, body: undefined, ...sent(text) }),
  })
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  return [
    one('headers', () => ({})),
    one('query', text => ({ query: { q: text, [text.slice(0, 10)]: 'x' } })),
    ...parameters.map(name => one(`path.${name}`, text => ({ path: { [name]: text } }))),
  ]
}

test('no text in a request for a page blocks the process', async () => {
  const places = listPages()
  assert.ok(places.length > 60)
  await askAll(places, callers.pages!)
})
