import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { freePort } from '../test/free-port.ts'
import { SetupError } from './core/config/setup-error.ts'
import { type Listeners, openListeners } from './listener.ts'

async function start(t: TestContext, port = 0): Promise<{ listeners: Listeners; port: number }> {
  const server = createServer((_request, response) => response.end())
  const listeners = await openListeners(server, '127.0.0.1', port)
  t.after(() => {
    for (const one of listeners) one.close()
    server.closeAllConnections()
  })
  return { listeners, port: (server.address() as AddressInfo).port }
}

/** Returns the first line of the response over a new connection. */
async function ask(port: number): Promise<string> {
  const caller = connect(port, '127.0.0.1')
  caller.end('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  return (await text(caller)).split('\r\n')[0]!
}

test('several concurrent connections are accepted in each turn of the event loop', async t => {
  const { listeners, port } = await start(t)
  let taken = 0
  let turns = 0
  listeners[0].on('connection', () => taken++)
  const callers = Array.from({ length: 160 }, () => connect(port, '127.0.0.1'))
  t.after(() => callers.forEach(caller => void caller.destroy()))
  while (taken < callers.length) {
    const before = taken
    await nextTurn()
    if (taken > before) turns++
  }
  // The system does not distribute them evenly.
  const most = (4 * callers.length) / listeners.length
  assert.ok(turns <= most, `${turns} turns for ${taken} with ${listeners.length} listeners`)
})

test('every listener answers its connections', async t => {
  const { listeners, port } = await start(t)
  const beside = new Set<unknown>()
  for (const one of listeners) one.on('connection', () => beside.add(one))
  const answers = Array.from({ length: 100 }, () => ask(port))
  assert.deepEqual(new Set(await Promise.all(answers)), new Set(['HTTP/1.1 200 OK']))
  assert.ok(beside.size >= Math.min(2, listeners.length), `${beside.size} of ${listeners.length}`)
})

test('refuses a port that another server shares with SO_REUSEPORT', async t => {
  const { port } = await start(t)
  await assert.rejects(
    start(t, port),
    error => error instanceof SetupError && error.message.startsWith('PORT: '),
  )
})

test('listens on a port that was just released', async t => {
  const port = await freePort()
  const { listeners } = await start(t, port)
  for (const one of listeners) one.close()
  assert.equal((await start(t, port)).port, port)
})
