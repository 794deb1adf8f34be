import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import fastify, { type InjectOptions } from 'fastify'
import { until } from '../../test/until.ts'
import { printMetrics } from '../core/telemetry/metrics.ts'
import { limitConcurrency } from './concurrency.ts'

/** An app with operations that wait until the test releases them, and with its own clock. */
function createApp(maxRequests: number) {
  const app = fastify()
  const held: (() => void)[] = []
  let now = 7_000
  let begun = 0
  const hold = () => new Promise<string>(done => held.push(() => done('done')))
  limitConcurrency(app, maxRequests, () => now)
  app.addHook('onRequest', async ({ url }) => {
    begun++
    if (url === '/gate') await hold()
  })
  app.setErrorHandler((_error, _request, reply) => reply.code(429).send('refused'))
  app.get('/', async () => 'ok')
  app.get('/gate', async () => 'ok')
  app.get('/hold', hold)
  app.post('/hold', hold)
  app.get('/waiting', { config: { isWaiting: true } as object }, hold)
  app.post('/streamed', { config: { isStreamed: true } as object }, hold)

  const ask = async (url = '/', options: InjectOptions = {}) =>
    (await app.inject({ url, ...options })).statusCode
  async function start(
    count: () => number,
    url: string,
    options: InjectOptions,
  ): Promise<{ status: Promise<number> }> {
    const before = count()
    const status = ask(url, options)
    await until(async () => count() > before)
    return { status }
  }
  return {
    ask,
    /** Resolves when the operation runs. */
    begin: (url: string, options: InjectOptions = {}) => start(() => held.length, url, options),
    /** Resolves when the headers have arrived. */
    sendHeaders: (url: string, options: InjectOptions) => start(() => begun, url, options),
    release: () => held.shift()!(),
    advance(ms: number) {
      now += ms
    },
  }
}

async function countRefused(): Promise<number> {
  const line = /^deskbell_overload_total\{decision="refused"\} (\d+)$/m.exec(await printMetrics())
  return Number(line![1])
}

test('requests within one second at the limit are accepted; later ones are refused and counted until the first one ends', async () => {
  const { begin, ask, release, advance } = createApp(1)
  const { status } = await begin('/hold')
  advance(1_000)
  assert.equal(await ask(), 200)
  advance(1)
  const before = await countRefused()
  assert.equal(await ask(), 429)
  assert.equal(await ask('/hold', { method: 'POST', payload: {} }), 429)
  assert.equal((await countRefused()) - before, 2)
  release()
  assert.equal(await status, 200)
  assert.equal(await ask(), 200)
})

test('requests below the limit may take any time', async () => {
  const { begin, ask, advance } = createApp(2)
  await begin('/hold')
  advance(5_000)
  assert.equal(await ask(), 200)
  await begin('/hold')
  assert.equal(await ask(), 429)
})

test('a request stops counting after one minute, because nobody waits for it any more', async () => {
  const { begin, ask, advance } = createApp(1)
  await begin('/hold')
  advance(59_999)
  assert.equal(await ask(), 429)
  advance(1)
  assert.equal(await ask(), 200)
  await begin('/hold')
  advance(1_001)
  assert.equal(await ask(), 429)
})

test('of two requests in progress, one older than a minute does not count towards the limit', async () => {
  const { begin, ask, advance } = createApp(2)
  await begin('/hold')
  advance(60_000)
  await begin('/hold')
  advance(1_001)
  assert.equal(await ask(), 200)
})

test('a request counts while later hooks still run', async () => {
  const { begin, ask, advance } = createApp(1)
  await begin('/gate')
  advance(1_001)
  assert.equal(await ask(), 429)
})

test('a request with a body counts once the body has arrived', async () => {
  const { begin, ask, advance } = createApp(1)
  await begin('/hold', { method: 'POST', payload: {} })
  advance(1_001)
  assert.equal(await ask(), 429)
})

for (const header of ['content-length', 'transfer-encoding'] as const) {
  test(`a request whose body arrives slowly does not count, and is refused if the limit is reached by then: ${header}`, async () => {
    const { begin, sendHeaders, ask, advance } = createApp(1)
    const body = new Readable({ read() {} })
    const headers = {
      'content-type': 'application/json',
      [header]: header === 'content-length' ? '2' : 'chunked',
    }
    const { status } = await sendHeaders('/hold', { method: 'POST', payload: body, headers })
    advance(5_000)
    assert.equal(await ask(), 200)
    await begin('/hold')
    advance(1_001)
    body.push('{}')
    body.push(null)
    assert.equal(await status, 429)
  })
}

test('requests that wait for events or send a file do not count and are never refused', async () => {
  const { begin, ask, advance } = createApp(1)
  await begin('/waiting')
  await begin('/streamed', { method: 'POST', payload: {} })
  advance(5_000)
  assert.equal(await ask(), 200)
  await begin('/hold')
  advance(1_001)
  await begin('/waiting')
  await begin('/streamed', { method: 'POST', payload: {} })
  assert.equal(await ask(), 429)
})
