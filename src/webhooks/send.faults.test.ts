import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { type Answer, type Script, startReceiver } from '../../test/receiver.ts'
import { createAddressRule } from '../core/http/address.ts'
import { createSender } from './send.ts'

/** Milliseconds, for attempts that must not end otherwise. */
const TIMEOUT = 500
/** No attempt that ends takes this long, even on a busy machine. */
const LONG_TIMEOUT = 30_000
/** Extra milliseconds for a busy machine. A sender that never gives up takes longer than that. */
const SLACK = 20_000
const addressRule = createAddressRule({ publicUrl: 'http://localhost' })

async function setUp(t: TestContext, script?: Script, timeout = LONG_TIMEOUT) {
  const receiver = await startReceiver(script)
  const sender = createSender({ addressRule, timeout })
  t.after(() => sender.close().then(() => receiver.close()))
  const send = (path = '/') => sender.send({ url: receiver.url + path, headers: {}, body: Buffer.from('{}') })
  return { receiver, sender, send, sendTimed: () => time(send) }
}

async function time<T>(run: () => Promise<T>) {
  const start = performance.now()
  const outcome = await run()
  return { ...outcome, took: performance.now() - start }
}

for (const fault of ['hang', 'drip_head'] as const) {
  test(`gives up and disconnects a receiver that answers with ${fault} at the deadline`, async t => {
    const { receiver, sendTimed } = await setUp(t, { fault }, TIMEOUT)
    const { error, status_code, took } = await sendTimed()
    assert.deepEqual([error, status_code], ['timeout', null])
    assert.ok(took >= TIMEOUT - 5 && took < TIMEOUT + SLACK, `${took}`)
    await receiver.waitForSilence()
    assert.equal(receiver.requests.length, 1)
  })
}

test('gives up a receiver that sends 1xx responses without end at the deadline', async t => {
  const script: Script = { fault: 'hang', informational: Array(50).fill(102) }
  const { sendTimed } = await setUp(t, script, TIMEOUT)
  const { error, took } = await sendTimed()
  assert.equal(error, 'timeout')
  assert.ok(took < TIMEOUT + SLACK)
})

for (const fault of ['reset', 'close'] as const) {
  test(`an attempt fails after one request if a new connection is answered with ${fault}`, async t => {
    const { receiver, send } = await setUp(t, { fault })
    assert.equal((await send()).error, 'reset')
    assert.equal(receiver.requests.length, 1)
  })
}

test('garbage or response headers of 100 KB count as the error protocol', async t => {
  const { receiver, send } = await setUp(t, { fault: 'garbage' })
  assert.equal((await send()).error, 'protocol')
  receiver.answer({ headers: { 'x-big': 'x'.repeat(100_000) } })
  assert.equal((await send()).error, 'protocol')
})

test('a receiver that does not listen counts as the error connect', async t => {
  const { receiver, send } = await setUp(t)
  await receiver.close()
  assert.equal((await send()).error, 'connect')
})

test('an attempt answered just before the deadline succeeds, even if the body never ends', async t => {
  const deadline = 12_000
  const { receiver, sendTimed } = await setUp(t, { delay: deadline - 8_000, fault: 'drip_body' }, deadline)
  const { ok, status_code, latency_ms, took } = await sendTimed()
  assert.deepEqual([ok, status_code], [true, 200])
  assert.ok(latency_ms <= deadline && took < deadline + SLACK, `${latency_ms} ${took}`)
  await receiver.waitForSilence()
})

test('an attempt succeeds even if the receiver breaks off the body', async t => {
  const { send } = await setUp(t, { fault: 'cut_body' })
  const { ok, response_excerpt } = await send()
  assert.deepEqual([ok, response_excerpt], [true, 'half'])
})

test('disconnects a receiver after a second if the body arrives too slowly', async t => {
  const { receiver } = await setUp(t, { fault: 'drip_body' })
  const patient = createSender({ addressRule, timeout: LONG_TIMEOUT })
  const { ok, took } = await time(() =>
    patient.send({ url: receiver.url, headers: {}, body: Buffer.alloc(0) }),
  )
  assert.equal(ok, true)
  assert.ok(took > 900 && took < 1_000 + SLACK, `${took}`)
  await receiver.waitForSilence()
})

test('requests that hang do not delay other requests to the same origin', async t => {
  const { receiver, send } = await setUp(t, ({ path }): Answer => (path === '/hang' ? { fault: 'hang' } : {}))
  const hanging = Array.from({ length: 100 }, () => send('/hang'))
  await receiver.waitFor(100)
  const first = await Promise.race([send('/quick'), ...hanging])
  assert.equal(first.ok, true)
  receiver.dropConnections()
  await Promise.all(hanging)
})

test('connections are reused', async t => {
  const { receiver, send } = await setUp(t, { body: 'x'.repeat(40_000) })
  for (let round = 0; round < 5; round += 1) await send()
  assert.equal(receiver.counts.connections, 1)
})

for (const fault of ['reset', 'close'] as const) {
  test(`a reused connection that fails by ${fault} before the first byte of the response is replaced silently`, async t => {
    const { receiver, send } = await setUp(t, [200, { fault }, 204])
    await send()
    assert.equal((await send()).status_code, 204)
    assert.deepEqual([receiver.requests.length, receiver.counts.connections], [3, 2])
  })
}

test('a reused connection that died while idle is replaced silently, 100 times at once', async t => {
  const { receiver, send } = await setUp(t)
  const sendMany = () => Promise.all(Array.from({ length: 100 }, () => send()))
  await sendMany()
  receiver.dropConnections()
  assert.ok((await sendMany()).every(({ ok }) => ok))
})

test('a reused connection is replaced only once', async t => {
  const { receiver, send } = await setUp(t, [200, { fault: 'reset' }])
  await send()
  assert.equal((await send()).error, 'reset')
  assert.equal(receiver.requests.length, 3)
})

test('a reused connection is not replaced if it hangs or fails within the response', async t => {
  const script: Script = [200, { fault: 'hang' }, 200, { fault: 'garbage' }]
  const { receiver, send } = await setUp(t, script, 8_000)
  for (const expected of [null, 'timeout', null, 'protocol']) assert.equal((await send()).error, expected)
  assert.equal(receiver.requests.length, 4)
})

test('an idle connection is closed after 4 s', async t => {
  const { receiver, send } = await setUp(t)
  const { took } = await time(async () => {
    await send()
    return { silent: await receiver.waitForSilence() }
  })
  assert.ok(took > 3_500 && took < 4_000 + SLACK, `${took}`)
})

test('closes a connection if the response arrived before the whole request was written', async t => {
  const server = createServer(socket => {
    socket
      .on('error', () => {})
      .once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
        socket.pause()
      })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const sender = createSender({ addressRule })
  t.after(() => sender.close().then(() => server.close()))
  const connected = once(server, 'connection') as Promise<[Socket]>
  assert.equal(
    (await sender.send({ url: `http://127.0.0.1:${port}`, headers: {}, body: Buffer.alloc(3e7) })).ok,
    true,
  )
  const [socket] = await connected
  await Promise.all([once(socket, 'close'), socket.resume()])
  assert.ok(socket.bytesRead < 3e7, `${socket.bytesRead}`)
})

test('cuts an endless response at 64 KB without growing memory', async t => {
  const { receiver, sendTimed } = await setUp(t, { fault: 'endless_body' })
  await sendTimed()
  const before = process.memoryUsage().rss
  for (let round = 0; round < 20; round += 1) {
    const { ok, took, response_excerpt } = await sendTimed()
    assert.ok(ok && took < SLACK, `${took}`)
    assert.equal(response_excerpt?.length, 1024)
  }
  await receiver.waitForSilence()
  assert.ok(receiver.counts.bytesSent / 21 < 16e6, `${receiver.counts.bytesSent}`)
  assert.ok(process.memoryUsage().rss - before < 50e6, `${process.memoryUsage().rss - before}`)
})

test('close waits for the attempts in progress', async t => {
  const { receiver, sender, send } = await setUp(t, { delay: 200 })
  const outcome = send()
  await receiver.waitFor(1)
  await sender.close()
  assert.equal((await Promise.race([outcome, Promise.resolve(null)]))?.ok, true)
})
