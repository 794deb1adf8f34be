import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import fc from 'fast-check'
import { certificate } from '../../test/certificate.ts'
import { type Options, type Script, startReceiver, verifySignature } from '../../test/receiver.ts'
import { createAddressRule } from '../core/http/address.ts'
import type { Resolve } from './resolve.ts'
import { SEND_ERRORS } from './response.ts'
import { createSender } from './send.ts'

/** Milliseconds, for attempts that must not end otherwise. */
const TIMEOUT = 500
/** No attempt that ends takes this long, even on a busy machine. */
const LONG_TIMEOUT = 30_000
const atHome = createAddressRule({ publicUrl: 'http://localhost' })
const post = { headers: { 'Content-Type': 'application/json' }, body: Buffer.from('{"a":"é"}') }

async function setUp(t: TestContext, script?: Script, options?: Options) {
  const receiver = await startReceiver(script, options)
  const { sender, send } = setUpSender(t)
  t.after(() => receiver.close())
  return { receiver, sender, send: (path = '/') => send(receiver.url + path) }
}

function setUpSender(t: TestContext, resolve?: Resolve, addressRule = atHome, timeout = LONG_TIMEOUT) {
  const sender = createSender({ addressRule, timeout, resolve })
  t.after(() => sender.close())
  return { sender, send: (url: string) => sender.send({ url, ...post }) }
}

/** Starts a plain TCP server on 127.0.0.1 and returns its port. */
async function listen(t: TestContext, serve: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket.on('error', () => {}))
    serve(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return (server.address() as AddressInfo).port
}

test('an attempt posts the given bytes and headers', async t => {
  const { receiver, send } = await setUp(t)
  const outcome = await send('/in/box?a=%20b&c')
  const received = await receiver.next()
  assert.deepEqual(
    { ...outcome, latency_ms: 0 },
    {
      ...{ ok: true, status_code: 200, error: null, latency_ms: 0, response_excerpt: null },
    },
  )
  assert.deepEqual([received.method, received.path, received.body], ['POST', '/in/box?a=%20b&c', post.body])
  assert.deepEqual(received.headers, {
    ...{
      host: `127.0.0.1:${receiver.port}`,
      'user-agent': 'Deskbell/1',
      'content-length': `${post.body.length}`,
    },
    ...{ 'content-type': 'application/json', connection: 'keep-alive' },
  })
})

test('an attempt sends the credentials of the URL as Basic authentication and never reports them', async t => {
  const { receiver, send } = await setUp(t, 500)
  for (const [given, sent] of [
    ['me:s%40cret', 'me:s@cret'],
    ['%zz:s', '%zz:s'],
    ['me', 'me:'],
  ]) {
    const outcome = await setUpSender(t).send(`http://${given}@127.0.0.1:${receiver.port}/`)
    assert.equal(
      (await receiver.next()).headers.authorization,
      `Basic ${Buffer.from(sent!).toString('base64')}`,
    )
    assert.equal(outcome.error, 'status')
    assert.doesNotMatch(JSON.stringify(outcome), /cret/)
  }
  assert.equal((await send()).status_code, 500)
})

test('an attempt succeeds with every 2xx and with no other status; 3xx counts as a redirect', async t => {
  const { send } = await setUp(t, ({ path }) => ({ status: Number(path.slice(1)) }))
  for (let status = 200; status < 600; status += 1) {
    const { ok, status_code, error } = await send(`/${status}`)
    const expected = status < 300 ? null : status < 400 ? 'redirect' : 'status'
    assert.deepEqual({ ok, status_code, error }, { ok: status < 300, status_code: status, error: expected })
  }
})

test('an attempt waits for the final status after a 1xx; 101 is final', async t => {
  const { send } = await setUp(t, ({ path }) => ({
    status: 204,
    informational: [Number(path.slice(1)), 103],
  }))
  for (let status = 100; status < 200; status += 1) {
    if (status !== 101) assert.equal((await send(`/${status}`)).status_code, 204, `${status}`)
  }
  const port = await listen(t, socket =>
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switch\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    ),
  )
  const { ok, error } = await setUpSender(t).send(`http://127.0.0.1:${port}`)
  assert.deepEqual({ ok, error }, { ok: false, error: 'status' })
})

test('an attempt never follows a redirect', async t => {
  const { receiver: target } = await setUp(t)
  const { send } = await setUp(t, ({ path }) => ({
    status: Number(path.slice(1)),
    headers: { location: target.url },
  }))
  for (const status of [300, 301, 302, 303, 307, 308])
    assert.equal((await send(`/${status}`)).error, 'redirect')
  assert.equal(target.counts.connections, 0)
})

test('an attempt keeps the first KB of the response as text that Postgres can store', async t => {
  const { receiver, send } = await setUp(t, { status: 500, body: `a\0${'é'.repeat(2000)}` })
  assert.equal((await send()).response_excerpt, `a\uFFFD${'é'.repeat(511)}`)
  receiver.answer({ body: Buffer.from([0xff, 0x41]) })
  assert.equal((await send()).response_excerpt, '\uFFFDA')
  receiver.answer({ status: 200, body: 'short' })
  assert.equal((await send()).response_excerpt, 'short')
})

test('an attempt never throws, with any URL, headers or resolver', async t => {
  const errors = new Set<string | null>(SEND_ERRORS.map(({ error }) => error))
  const { send, sender } = setUpSender(
    t,
    async () => [],
    createAddressRule({ publicUrl: 'https://a.example' }),
    TIMEOUT,
  )
  const url = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.webUrl(),
    fc.string().map(text => `http://${text}`),
  )
  await fc.assert(fc.asyncProperty(url, async text => errors.has((await send(text)).error)))
  const headers = { 'X-Bad': 'a\r\nb' }
  assert.equal((await sender.send({ ...post, url: 'http://a.example', headers })).error, 'dns')
  assert.equal(
    (await createSender({ addressRule: atHome }).send({ ...post, url: 'http://127.0.0.1:1', headers })).error,
    'protocol',
  )
  const broken = setUpSender(t, () => {
    throw new Error('broken')
  })
  assert.equal((await broken.send('http://a.example')).error, 'dns')
})

const rule = createAddressRule({ publicUrl: 'https://a.example', allowedCidrs: ['127.0.0.1'] })

test('connects to the checked address after one look-up, with the name in Host', async t => {
  const { receiver } = await setUp(t)
  const asked: string[] = []
  const noteName: Resolve = async name => {
    asked.push(name)
    return ['127.0.0.1']
  }
  const { send } = setUpSender(t, noteName, rule)
  assert.equal((await send(`http://Hooks.Example:${receiver.port}/`)).ok, true)
  assert.equal((await receiver.next()).headers.host, `hooks.example:${receiver.port}`)
  assert.deepEqual(asked, ['hooks.example'])
})

test('refuses a name if one of its addresses is forbidden', async t => {
  const { receiver } = await setUp(t)
  for (const answer of [
    ['127.0.0.1', '10.0.0.1'],
    ['::1', '127.0.0.1'],
    ['127.0.0.1', 'fd00:ec2::254'],
  ]) {
    const { error } = await setUpSender(t, async () => answer, rule).send(
      `http://hooks.example:${receiver.port}/`,
    )
    assert.equal(error, 'blocked_address')
  }
  assert.equal(receiver.counts.connections, 0)
})

test('a name that alternates between allowed and forbidden addresses never reaches the forbidden one', async t => {
  const { receiver: open } = await setUp(t)
  const { receiver: canary } = await setUp(t, 200, { host: '127.0.0.2', port: open.port })
  let turn = 0
  const { send } = setUpSender(t, async () => [turn++ % 2 ? '127.0.0.2' : '127.0.0.1'], rule)
  for (let round = 0; round < 300; round += 1) {
    const { error } = await send(`http://flip-${round % 3}.example:${open.port}/`)
    assert.equal(error, round % 2 ? 'blocked_address' : null)
  }
  assert.deepEqual([open.requests.length, canary.counts.connections], [150, 0])
})

test('tries the next address of a name when one refuses', async t => {
  const { receiver } = await setUp(t)
  const { send } = setUpSender(t, async () => ['127.0.0.9', '::1', '127.0.0.1'])
  assert.equal((await send(`http://hooks.example:${receiver.port}/`)).ok, true)
})

test('no address counts as dns, and a look-up without end as timeout', async t => {
  assert.equal((await setUpSender(t, async () => []).send('http://hooks.example/')).error, 'dns')
  const { send } = setUpSender(t, () => new Promise(() => {}), atHome, TIMEOUT)
  const { error, latency_ms } = await send('http://hooks.example/')
  assert.equal(error, 'timeout')
  assert.ok(latency_ms < LONG_TIMEOUT)
})

const toHooks: Resolve = async () => ['127.0.0.1']
const start = (t: TestContext) => setUp(t, 200, { tls: certificate })

test('an untrusted certificate, plain HTTP and a broken handshake count as tls', async t => {
  const { receiver, send } = await start(t)
  assert.equal((await setUpSender(t, toHooks).send(`https://hooks.test:${receiver.port}/`)).error, 'tls')
  assert.equal((await send()).error, 'tls')
  const { receiver: plain } = await setUp(t)
  assert.equal((await setUpSender(t).send(`https://127.0.0.1:${plain.port}/`)).error, 'tls')
  const port = await listen(t, socket => socket.end())
  assert.equal((await setUpSender(t).send(`https://127.0.0.1:${port}/`)).error, 'tls')
  assert.deepEqual([receiver.requests.length, plain.requests.length], [0, 0])
})

test('a handshake without end counts as timeout', async t => {
  const port = await listen(t, () => {})
  const { send } = setUpSender(t, undefined, atHome, TIMEOUT)
  assert.equal((await send(`https://127.0.0.1:${port}/`)).error, 'timeout')
})

test('a trusted certificate is valid only for its own name', async t => {
  const { receiver, send } = await start(t)
  setDefaultCACertificates([...getCACertificates('default'), certificate.cert])
  const { send: sendTo } = setUpSender(t, toHooks)
  assert.equal((await sendTo(`https://hooks.test:${receiver.port}/`)).ok, true)
  assert.equal((await receiver.next()).headers.host, `hooks.test:${receiver.port}`)
  assert.equal((await sendTo(`https://hooks.test.:${receiver.port}/`)).ok, true)
  assert.equal((await sendTo(`https://other.test:${receiver.port}/`)).error, 'tls')
  assert.equal((await send()).error, 'tls')
})

test('verifySignature accepts only the HMAC of exactly these bytes', () => {
  const header = 'sha256=f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8'
  const text = 'The quick brown fox jumps over the lazy dog'
  assert.equal(verifySignature('key', Buffer.from(text), header), true)
  assert.equal(verifySignature('key', Buffer.from(`${text}.`), header), false)
  assert.equal(verifySignature('key', Buffer.from(text), undefined), false)
})
