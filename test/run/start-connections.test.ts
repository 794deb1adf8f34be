import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { addressOf, createDatabase } from '../database.ts'
import { freePort } from '../free-port.ts'
import { until } from '../until.ts'
import {
  makeDataDir,
  makeFolder,
  spawnServer,
  startServer,
  statusOf,
  stopServer,
  untilReady,
} from './program.ts'

/** Connections that arrive while the server starts or is busy. */

test('answers a request that arrives during the start once the server is ready', async context => {
  // Without a Postgres of its own, it is ready soon: a request waits for ten seconds.
  const { db, target, drop } = await createDatabase()
  context.after(drop)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const settings = { DATA_DIR: makeFolder(context), DATABASE_URL: addressOf(target), PORT: String(port) }
  const { server, early } = await db.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    // The start does not end before it can read this table.
    await tx`lock table schema_migrations in access exclusive mode`
    const started = spawnServer(context, settings)
    await until(async () => (await statusOf(`${url}/readyz`)) === 503)
    return { server: started, early: [statusOf(`${url}/api/v1/tickets`)] }
  })
  await untilReady(server)
  assert.deepEqual(await Promise.all(early), [401])
  await stopServer(server)
})

test('resets no connection during the start, however many requests arrive', async context => {
  const port = await freePort()
  const ends = new Set<string>()
  const server = spawnServer(context, { DATA_DIR: makeFolder(context), PORT: String(port) })
  let isReady = false
  const knock = async () => {
    while (!isReady) {
      const socket = connect(port, '127.0.0.1').end(
        'GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
      )
      await once(socket.resume(), 'close').catch(error => ends.add(error.code))
    }
  }
  const knocking = Promise.all(Array.from({ length: 64 }, knock))
  await untilReady(server)
  isReady = true
  await knocking
  assert.deepEqual([...ends], ['ECONNREFUSED'])
  await stopServer(server)
})

test('accepts a thousand connections that arrive while the server is busy', async context => {
  const server = await startServer(context, { DATA_DIR: makeDataDir(context) })
  const port = Number(new URL(server.url).port)
  server.child.kill('SIGSTOP')
  const sockets = Array.from({ length: 1_000 }, () => connect(port, '127.0.0.1'))
  context.after(() => sockets.forEach(socket => void socket.destroy()))
  // A connection that does not fit into the queue is not accepted while the server is stopped.
  const late = AbortSignal.timeout(60_000)
  await Promise.all(sockets.map(socket => once(socket, 'connect', { signal: late })))
  server.child.kill('SIGCONT')
  for (const socket of sockets) socket.destroy()
  await stopServer(server)
})
