import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { unique } from '../cast.ts'
import { type Answer, assertBrief, sendRaw } from '../client.ts'
import { startServer } from '../server.ts'

/** Malformed HTTP is rejected in the usual form, does no harm, and is never read as two requests. */

const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31))
const server = await startServer({ delivers: false })
const { api, url, acme } = server
after(() => server.close())

const lines = `Host: desk.example\r\nAuthorization: Bearer ${acme.key.key}\r\nX-Request-ID: ours\r\nAccept: */*\r\n`
const base = '/api/v1'
const heads = [
  `GET ${base}/tickets?page_size=1&q=a%20b HTTP/1.1\r\n${lines}\r\n`,
  `PATCH ${base}/contacts/email:ann@example.com HTTP/1.1\r\n${lines}If-Match: "1"\r\nContent-Type: application/json\r\n\r\n`,
  `POST ${base}/contacts HTTP/1.1\r\n${lines}Transfer-Encoding: chunked\r\n\r\n1b\r\n{"email":"ann@example.com"}\r\n0\r\n\r\n`,
]

/** Completes a truncated head. After a complete request, it is the next request. */
const end = `\r\n\r\nGET ${base}/nothing HTTP/1.1\r\nHost: desk.example\r\n\r\n`

const special = [
  '\0',
  '\r',
  '\n',
  '\r\n',
  '\t',
  ' ',
  ':',
  ',',
  ';',
  '"',
  '%',
  '\x7f',
  '\x80',
  '\xff',
  '\r\n\r\n',
]
const change = fc.record({
  at: fc.nat({ max: 10_000 }),
  removed: fc.oneof(fc.constantFrom(0, 0, 1), fc.nat({ max: 30 })),
  added: fc.oneof(fc.constantFrom('', ...special), fc.string({ unit: 'binary-ascii', maxLength: 5 })),
  times: fc.oneof({ weight: 30, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.constant(20_000) }),
})
const damaged = fc
  .tuple(fc.constantFrom(...heads), fc.array(change, { minLength: 1, maxLength: 3 }))
  .map(([head, changes]) =>
    changes.reduce((text, { at, removed, added, times }) => {
      const place = at % text.length
      return text.slice(0, place) + added.repeat(times) + text.slice(place + removed)
    }, head),
  )

/**
 * The head of the first response. Without one, `closed` if the server closed the connection, or `waits` if it
 * expects more of a body.
 */
function firstHead(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let text = ''
  return new Promise(done => {
    const settle = (head: string) => {
      done(head)
      socket.destroy()
    }
    socket.on('error', () => {})
    socket.on('close', () => settle('closed'))
    socket.on('data', chunk => {
      text += chunk.toString('latin1')
      if (text.includes('\r\n\r\n')) settle(text.split('\r\n\r\n')[0]!)
    })
    socket.setTimeout(2_000, () => settle('waits'))
    socket.write(Buffer.from(bytes + end, 'latin1'))
  })
}

test(`5,000 damaged requests are answered below 500 and with X-Request-ID (seed ${seed})`, async t => {
  const all = fc.sample(damaged, { seed, numRuns: 5_000 })
  const seen = new Map<string, number>()
  const check = async (bytes: string) => {
    const head = await firstHead(bytes)
    const status = head.split(' ')[1] ?? head
    seen.set(status, (seen.get(status) ?? 0) + 1)
    if (['closed', 'waits'].includes(status)) return
    assert.match(status, /^[24]\d\d$/, JSON.stringify(bytes.slice(0, 2_000)))
    assert.match(head, /\r\nx-request-id: [\x21-\x7e]{1,200}(\r\n|$)/i, JSON.stringify(bytes.slice(0, 2_000)))
  }
  while (all.length) await Promise.all(all.splice(0, 25).map(check))
  t.diagnostic(JSON.stringify(Object.fromEntries(seen)))
  for (const status of ['200', '400', '401', '404', '431']) assert.ok(seen.has(status), status)
  assert.equal((await api.get('/tickets')).status, 200)
})

/** Heads that two servers in a row might read as requests of different lengths. */
const smuggling: [string, string][] = [
  ['a length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n'],
  ['chunks and a length', 'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n'],
  ['two lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n'],
  ['a list of lengths', 'Content-Length: 5, 6\r\n'],
  ['a length with a sign', 'Content-Length: +5\r\n'],
  ['a length in hex', 'Content-Length: 0x5\r\n'],
  ['an empty length', 'Content-Length: \r\n'],
  ['a length without end', 'Content-Length: 99999999999999999999999\r\n'],
  ['a space before the colon', 'Content-Length : 5\r\n'],
  ['a folded line', 'Content-Length: 5\r\n 0\r\n'],
  ['an unknown coding', 'Transfer-Encoding: xchunked\r\n'],
  ['a coding after chunked', 'Transfer-Encoding: chunked, identity\r\n'],
  ['two codings', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n'],
  ['a control character before chunked', 'Transfer-Encoding: \x0bchunked\r\n'],
  ['a bare line feed', 'X: a\nTransfer-Encoding: chunked\r\n'],
  ['a bare carriage return', 'X: a\rTransfer-Encoding: chunked\r\n'],
]

for (const [name, header] of smuggling) {
  test(`rejects ${name}, and does not run a request hidden in the body`, async () => {
    const email = `${unique()}@example.com`
    const body = JSON.stringify({ email })
    const json = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n`
    const hidden = `POST ${base}/contacts HTTP/1.1\r\n${lines}${json}\r\n${body}`
    const answer = await sendRaw(
      url,
      `POST ${base}/contacts HTTP/1.1\r\n${lines}${header}\r\n0\r\n\r\n${hidden}`,
    )
    assertBrief(answer, 400)
    assert.equal((await api.get(`/contacts?email=${email}`)).body.total, 0)
  })
}

const idOf = ({ headers }: Answer) => headers.get('x-request-id')

test('answers a request that times out with 408 in the brief form, with X-Request-ID', async () => {
  const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  server.app.server.once('connection', socket => server.app.server.emit('clientError', late, socket))
  const answer = await sendRaw(url, `GET ${base}/tickets HTTP/1.1\r\nHost: x\r\n`)
  assertBrief(answer, 408, 'Request Timeout')
})

test('ignores an unknown Expect header', async () => {
  const answer = await sendRaw(url, `${heads[0]!.slice(0, -2)}Expect: a miracle\r\nConnection: close\r\n\r\n`)
  assert.deepEqual([answer.status, idOf(answer)], [200, 'ours'])
})
