import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import fastify, { type InjectOptions } from 'fastify'
import { until } from '../../test/until.ts'
import { printMetrics } from '../core/metrics.ts'
import { limitConcurrency } from './concurrency.ts'

/** Operations that are held until they are let go, on a clock of their own. */
function openHall(most: number) {
  const app = fastify()
  const held: (() => void)[] = []
  let now = 7_000
  let begun = 0
  const hold = () => new Promise<string>(done => held.push(() => done('done')))
  limitConcurrency(app, most, () => now)
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
    /** Answers once it is held. */
    begin: (url: string, options: InjectOptions = {}) => start(() => held.length, url, options),
    /** Answers once its head is known. */
    knock: (url: string, options: InjectOptions) => start(() => begun, url, options),
    letGo: () => held.shift()!(),
    pass(ms: number) {
      now += ms
    },
  }
}

async function countRefused(): Promise<number> {
  const line = /^deskbell_overload_total\{decision="refused"\} (\d+)$/m.exec(await printMetrics())
  return Number(line![1])
}

test('a second is a burst; what comes later is refused and counted, until the first has ended', async () => {
  const { begin, ask, letGo, pass } = openHall(1)
  const { status } = await begin('/hold')
  pass(1_000)
  assert.equal(await ask(), 200)
  pass(1)
  const before = await countRefused()
  assert.equal(await ask(), 429)
  assert.equal(await ask('/hold', { method: 'POST', payload: {} }), 429)
  assert.equal((await countRefused()) - before, 2)
  letGo()
  assert.equal(await status, 200)
  assert.equal(await ask(), 200)
})

test('fewer than allowed may take as long as they want', async () => {
  const { begin, ask, pass } = openHall(2)
  await begin('/hold')
  pass(5_000)
  assert.equal(await ask(), 200)
  await begin('/hold')
  assert.equal(await ask(), 429)
})

test('for a request that takes a minute nobody waits any more', async () => {
  const { begin, ask, pass } = openHall(1)
  await begin('/hold')
  pass(59_999)
  assert.equal(await ask(), 429)
  pass(1)
  assert.equal(await ask(), 200)
  await begin('/hold')
  pass(1_001)
  assert.equal(await ask(), 429)
})

test('what nobody waits for takes no room', async () => {
  const { begin, ask, pass } = openHall(2)
  await begin('/hold')
  pass(60_000)
  await begin('/hold')
  pass(1_001)
  assert.equal(await ask(), 200)
})

test('what still has to pass the gate is under way', async () => {
  const { begin, ask, pass } = openHall(1)
  await begin('/gate')
  pass(1_001)
  assert.equal(await ask(), 429)
})

test('what has a body is under way once it is here', async () => {
  const { begin, ask, pass } = openHall(1)
  await begin('/hold', { method: 'POST', payload: {} })
  pass(1_001)
  assert.equal(await ask(), 429)
})

for (const header of ['content-length', 'transfer-encoding'] as const) {
  test(`a body that comes slowly takes no room, and is refused if there is none then: ${header}`, async () => {
    const { begin, knock, ask, pass } = openHall(1)
    const body = new Readable({ read() {} })
    const headers = {
      'content-type': 'application/json',
      [header]: header === 'content-length' ? '2' : 'chunked',
    }
    const { status } = await knock('/hold', { method: 'POST', payload: body, headers })
    pass(5_000)
    assert.equal(await ask(), 200)
    await begin('/hold')
    pass(1_001)
    body.push('{}')
    body.push(null)
    assert.equal(await status, 429)
  })
}

test('who waits for events and who sends a file takes no room and is let in', async () => {
  const { begin, ask, pass } = openHall(1)
  await begin('/waiting')
  await begin('/streamed', { method: 'POST', payload: {} })
  pass(5_000)
  assert.equal(await ask(), 200)
  await begin('/hold')
  pass(1_001)
  await begin('/waiting')
  await begin('/streamed', { method: 'POST', payload: {} })
  assert.equal(await ask(), 429)
})
