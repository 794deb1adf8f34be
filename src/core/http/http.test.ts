import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { after, test } from 'node:test'
import { limitTickets, makeTicket, nobody } from '../../../test/cast.ts'
import { type Answer, assertBrief, assertEnvelope, assertProblems, sendRaw } from '../../../test/client.ts'
import { startServer } from '../../../test/server.ts'
import { setMaintenance } from '../../projects/installation.ts'

const server = await startServer({ delivers: false })
const { api, outsider, stranger, db, url, acme, rival } = server
after(() => server.close())

const authorization = `Bearer ${acme.key.key}`
const idOf = (answer: Answer) => answer.headers.get('x-request-id') ?? ''
const tooLarge = JSON.stringify({ subject: 'x'.repeat(1024 * 1024) })
const ticket = await makeTicket(api, { status: 'closed' })
await limitTickets(db, rival, 0)

type Send = (headers?: Record<string, string>) => Promise<Answer>

/** One request for every kind of response. */
const kinds: [string, number, Send][] = [
  ['200', 200, headers => api.get('/tickets', { headers })],
  ['201', 201, headers => api.post('/contacts', { email: 'ann@example.com' }, { headers })],
  ['400', 400, headers => api.post('/contacts', {}, { headers })],
  ['401', 401, headers => stranger.get('/tickets', { headers })],
  ['403', 403, headers => outsider.post('/tickets', { contact: { email: 'a@b.io' } }, { headers })],
  ['404 of a route', 404, headers => api.get('/nothing', { headers })],
  ['404 of a record', 404, headers => api.get(`/tickets/${nobody}`, { headers })],
  ['405', 405, headers => api.put('/tickets', undefined, { headers })],
  ['409', 409, headers => api.post(`/tickets/${ticket.id}/close`, undefined, { headers })],
  [
    '412',
    412,
    headers => api.patch(`/tickets/${ticket.id}`, {}, { headers: { ...headers, 'if-match': '"99"' } }),
  ],
  ['413', 413, headers => api.post('/tickets', undefined, { raw: tooLarge, headers })],
  ['422 list', 422, headers => api.post('/tickets', {}, { headers })],
  ['422 envelope', 422, headers => api.post(`/tickets/${ticket.id}/messages`, {}, { headers })],
  ['bad JSON', 422, headers => api.post('/tickets', undefined, { raw: '{', headers })],
]

for (const [name, status, send] of kinds) {
  test(`the response "${name}" has an X-Request-ID: the client's own, or a new one`, async () => {
    const own = `id-${'~!'.repeat(30)}`
    const [echoed, made, again] = [await send({ 'x-request-id': own }), await send(), await send()]
    assert.deepEqual([echoed.status, made.status], [status, status], echoed.text)
    assert.equal(idOf(echoed), own)
    assert.match(idOf(made), /^[\x21-\x7e]{8,200}$/)
    assert.notEqual(idOf(made), idOf(again))
    if (echoed.body?.request_id) assert.equal(echoed.body.request_id, own)
    assert.equal(made.headers.get('cache-control'), 'no-store')
  })
}

test("spec 8 X-Request-ID: a client's X-Request-ID has up to 200 visible ASCII characters without spaces", async () => {
  const send = async (id: string) => idOf(await api.get('/tickets', { headers: { 'x-request-id': id } }))
  for (const good of ['x', '~'.repeat(200), '"<>\\']) assert.equal(await send(good), good)
  for (const bad of ['x'.repeat(201), 'a b', 'a\tb', 'ü', '']) {
    const id = await send(bad)
    assert.notEqual(id, bad)
    assert.match(id, /^[\x21-\x7e]{8,200}$/)
  }
})

const head = (lines: string) => `${lines}\r\nHost: x\r\nConnection: close\r\n`

test('two X-Request-ID headers do not count as a valid one', async () => {
  const twice = 'X-Request-ID: one\r\nX-Request-ID: two\r\n'
  const answer = await sendRaw(url, `${head('GET /api/v1/tickets HTTP/1.1')}${twice}\r\n`)
  assert.equal(answer.status, 401)
  assert.match(idOf(answer), /^[0-9a-f]{32}$/)
})

const broken: [string, number, string][] = [
  ['a request that is not HTTP', 400, 'SSH-2.0-OpenSSH_9.6\r\n\r\n'],
  ['an unknown version', 400, 'GET /api/v1/tickets HTTP/7.7\r\n\r\n'],
  ['a NUL in a header', 400, `${head('GET /api/v1/tickets HTTP/1.1')}X: a\0b\r\n\r\n`],
  ['a negative length', 400, `${head('POST /api/v1/tickets HTTP/1.1')}Content-Length: -1\r\n\r\n`],
  [
    'two lengths',
    400,
    `${head('POST /api/v1/tickets HTTP/1.1')}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
  ],
  [
    'length and chunks',
    400,
    `${head('POST /x HTTP/1.1')}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  [
    'bad chunks',
    400,
    `${head('POST /api/v1/tickets HTTP/1.1')}Authorization: ${authorization}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
  ],
  ['headers of 100 KB', 431, `${head('GET /api/v1/tickets HTTP/1.1')}X: ${'a'.repeat(100_000)}\r\n\r\n`],
]
for (const [name, status, bytes] of broken) {
  test(`${name} is answered with ${status} in the brief form, with X-Request-ID`, async () => {
    const answer = await sendRaw(url, bytes)
    assertBrief(answer, status)
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
  })
}

test('requests that Node.js refuses are also answered with Cache-Control: no-store', async () => {
  for (const [name, , bytes] of broken) {
    assert.equal((await sendRaw(url, bytes)).headers.get('cache-control'), 'no-store', name)
  }
})

test('a body over 1 MiB is refused with PAYLOAD_TOO_LARGE, with a Content-Length and in chunks', async () => {
  assertEnvelope(await api.post('/tickets', undefined, { raw: tooLarge }), 413, 'PAYLOAD_TOO_LARGE')
  const chunk = 'x'.repeat(0x20000)
  const chunks = `20000\r\n${chunk}\r\n`.repeat(9)
  const lines = `Authorization: ${authorization}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n`
  const answer = await sendRaw(url, `${head('POST /api/v1/tickets HTTP/1.1')}${lines}\r\n${chunks}0\r\n\r\n`)
  assertEnvelope(answer, 413, 'PAYLOAD_TOO_LARGE')
})

test('accepts a body of exactly 1 MiB', async () => {
  const raw = JSON.stringify({ email: 'ann@example.com', x: '' }).replace(
    '""',
    `"${'x'.repeat(1_048_576 - 32 - 4)}"`,
  )
  assert.ok(raw.length > 1_048_000 && raw.length <= 1_048_576)
  const answer = await api.post('/contacts', undefined, { raw: raw.padEnd(1_048_576) })
  assert.equal(answer.status, 201, answer.text)
})

test('checks the key before the body: a large body without a key answers 401', async () => {
  const { status } = await stranger.post('/tickets', undefined, { raw: tooLarge })
  assert.equal(status, 401)
})

test('unknown routes answer 404 and wrong methods 405, in the brief form', async () => {
  for (const path of [
    '/nothing',
    '/tickets/',
    '/Tickets',
    '/tickets//',
    '/../x',
    '/tickets/x/y/z',
    '/%zz',
    '/a%00b',
  ]) {
    assert.equal((await api.get(path)).status, 404, path)
    assertBrief(await api.post(`${path}/zzz`, {}), 404, 'Not Found')
  }
  for (const [method, path] of [
    ['PUT', '/tickets'],
    ['PUT', `/tickets/${ticket.id}`],
    ['PATCH', '/contacts'],
  ] as const) {
    const answer = await api.request(method, path)
    assertBrief(answer, 405, 'Method Not Allowed')
    assert.match(answer.headers.get('allow') ?? '', /GET/)
  }
})

test('rarely used methods answer 405 too', async () => {
  const lines = `Authorization: ${authorization}\r\nHost: x\r\nConnection: close\r\n`
  for (const method of METHODS) {
    if (['GET', 'HEAD', 'POST', 'CONNECT'].includes(method)) continue
    const answer = await sendRaw(url, `${method} /api/v1/tickets HTTP/1.1\r\n${lines}\r\n`)
    assertBrief(answer, 405, 'Method Not Allowed')
    assert.equal(answer.headers.get('allow'), 'POST, GET, HEAD', method)
  }
})

test('checks the key before the path, even if the path is malformed', async () => {
  for (const path of [
    '/tickets/%zz',
    '/tickets/%',
    '/tickets/%ff',
    '/%zz',
    `/tickets/${'x'.repeat(10_000)}`,
  ]) {
    assertBrief(await stranger.get(path), 401)
    assert.equal((await api.get(path)).status, 404, path)
  }
  assertEnvelope(await api.get('/tickets/%zz?q=%zz'), 404, 'TICKET_NOT_FOUND')
})

test('ignores a body on GET', async () => {
  const lines = `Authorization: ${authorization}\r\nContent-Type: application/json\r\nContent-Length: 5\r\n`
  const answer = await sendRaw(url, `${head('GET /api/v1/tickets HTTP/1.1')}${lines}\r\n{"a":`)
  assert.equal(answer.status, 200)
})

test('HEAD answers like GET, without a body', async () => {
  const answer = await api.request('HEAD', '/tickets')
  assert.deepEqual([answer.status, answer.text], [200, ''])
})

test('spec 7.1 503 MAINTENANCE_MODE: under maintenance every call answers 503 with exactly two fields and Retry-After', async () => {
  await setMaintenance(db, true)
  const calls: Send[] = [...kinds.map(([, , send]) => send), () => api.request('OPTIONS', '/tickets')]
  calls.push(
    () => stranger.get('/tickets', { headers: { authorization: 'Bearer sk_wrong' } }),
    () => api.get('/openapi.json'),
    () => api.delete(`/webhooks/${nobody}`),
  )
  try {
    for (const send of calls) {
      const answer = await send()
      assert.equal(answer.status, 503)
      assert.deepEqual(Object.keys(answer.body), ['error_code', 'error_message'])
      assert.equal(answer.body.error_code, 'MAINTENANCE_MODE')
      assert.match(answer.body.error_message, /maintenance/)
      assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
    }
  } finally {
    await setMaintenance(db, false)
  }
  assert.equal((await api.get('/tickets')).status, 200)
})

test('a wrong content type is refused as a schema mismatch', async () => {
  const raw = JSON.stringify({ email: 'ann@example.com' })
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/xml',
    'x',
  ]) {
    assertProblems(await api.post('/contacts', undefined, { raw, headers: { 'content-type': type } }))
  }
  for (const type of ['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON']) {
    const answer = await api.post('/contacts', undefined, { raw, headers: { 'content-type': type } })
    assert.equal(answer.status, 201, type)
  }
})

test('a compressed body is refused as a schema mismatch that names the header', async () => {
  const raw = JSON.stringify({ email: 'ann@example.com' })
  const send = (encoding: string) =>
    api.post('/contacts', undefined, { raw, headers: { 'content-encoding': encoding } })
  for (const encoding of ['gzip', 'br', 'zstd', 'identity, gzip']) {
    assertProblems(await send(encoding), 'header.content-encoding')
  }
  for (const encoding of ['identity', 'Identity']) assert.equal((await send(encoding)).status, 201, encoding)
})
