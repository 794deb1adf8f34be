import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { freePort } from '../free-port.ts'
import { until } from '../until.ts'
import {
  isAlive,
  keyOf,
  makeDataDir,
  type Program,
  postmasterOf,
  spawnServer,
  startServer,
  statusOf,
  stopServer,
} from './program.ts'

interface Server extends Program {
  port: number
  key: string
  DATA_DIR: string
}

async function start(context: TestContext, settings: Record<string, string> = {}): Promise<Server> {
  const DATA_DIR = makeDataDir(context)
  const server = await startServer(context, { DATA_DIR, ...settings })
  return Object.assign(server, { port: Number(new URL(server.url).port), key: keyOf(server), DATA_DIR })
}

function open(context: TestContext, { port }: Server): Socket {
  const socket = connect(port, '127.0.0.1')
  context.after(() => void socket.destroy())
  return socket
}

const ticket = JSON.stringify({ contact: { email: 'ann@example.com' } })

const headOf = (key: string, more = ''): string =>
  `POST /api/v1/tickets HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${ticket.length}\r\n${more}\r\n`

/** The head of the next response on this connection. */
async function readHead(socket: Socket): Promise<string> {
  assert.equal(socket.destroyed, false, 'the connection was closed too early')
  const [answer] = await Promise.race([once(socket, 'data'), once(socket, 'close')])
  return String(answer).split('\r\n\r\n')[0]!.toLowerCase()
}

function post(socket: Socket, { key }: Pick<Server, 'key'>): Promise<string> {
  socket.write(headOf(key) + ticket)
  return readHead(socket)
}

function askReady(socket: Socket): Promise<string> {
  socket.write('GET /readyz HTTP/1.1\r\nhost: x\r\n\r\n')
  return readHead(socket)
}

/** Sends the head of a request, and waits until its body is expected. */
async function begin(context: TestContext, server: Server): Promise<Socket> {
  const socket = open(context, server)
  socket.write(headOf(server.key, 'expect: 100-continue\r\n'))
  await once(socket, 'data')
  return socket
}

async function finish(socket: Socket): Promise<void> {
  socket.write(ticket)
  assert.match(await readHead(socket), /^http\/1\.1 201/)
}

const goesOn = /^http\/1\.1 201(?!.*connection: close)/s
const lastOne = /^http\/1\.1 201.*connection: close/s

test('a stop refuses new connections, completes the current request and stops Postgres', async context => {
  const server = await start(context)
  const postmaster = postmasterOf(server.DATA_DIR)
  const slow = await begin(context, server)
  server.child.kill('SIGTERM')
  await until(async () => (await statusOf(`${server.url}/healthz`)) === null)
  await finish(slow)
  assert.equal((await server.ended).status, 0)
  assert.equal(isAlive(postmaster), false)
  assert.equal(existsSync(join(server.DATA_DIR, 'postgres/postmaster.pid')), false)
})

test('a stop answers one last request on each open connection', async context => {
  const server = await start(context)
  const [kept, checking] = [open(context, server), open(context, server)]
  assert.match(await post(kept, server), goesOn)
  assert.match(await askReady(checking), /^http\/1\.1 200/)
  assert.equal(await statusOf(`${server.url}/healthz`), 200)
  const slow = await begin(context, server)
  server.child.kill('SIGTERM')
  await until(async () => (await statusOf(`${server.url}/healthz`)) === null)
  assert.match(await post(kept, server), lastOne)
  assert.match(await askReady(checking), /^http\/1\.1 503/)
  await finish(slow)
  assert.equal((await server.ended).status, 0)
})

test('a stop answers all connections accepted before it, and resets none', async context => {
  const server = await start(context)
  server.child.kill('SIGSTOP')
  const sockets = Array.from({ length: 100 }, () => open(context, server))
  await Promise.all(sockets.map(socket => once(socket, 'connect')))
  const heads = sockets.map(socket => post(socket, { key: 'none' }))
  server.child.kill('SIGTERM')
  server.child.kill('SIGCONT')
  for (const head of await Promise.all(heads)) assert.match(head, /^http\/1\.1 401.*connection: close/s)
  assert.equal((await server.ended).status, 0)
})

test('a stop keeps answering new and old connections for STOP_DELAY, with 503 on readyz', async context => {
  const server = await start(context, { STOP_DELAY: '10s' })
  const kept = open(context, server)
  assert.match(await post(kept, server), goesOn)
  const waiting = fetch(`${server.url}/api/v1/updates?timeout=50`, {
    headers: { authorization: `Bearer ${server.key}` },
  })
  const begun = performance.now()
  server.child.kill('SIGTERM')
  await until(async () => (await statusOf(`${server.url}/readyz`)) === 503)
  assert.match(await post(open(context, server), server), lastOne)
  assert.match(await post(kept, server), lastOne)
  assert.equal((await waiting).status, 200)
  assert.equal((await server.ended).status, 0)
  assert.ok(performance.now() - begun > 10_000)
})

test('three simultaneous Ctrl-C signals, as npm sends, are still a clean stop', async context => {
  const server = await startServer(context, { DATA_DIR: makeDataDir(context) })
  for (let times = 0; times < 3; times++) server.child.kill('SIGINT')
  assert.equal((await server.ended).status, 0)
})

test('a stop in the middle of the first start ends with status 0 and the next start works', async context => {
  const DATA_DIR = makeDataDir(context)
  const port = await freePort()
  const server = spawnServer(context, { DATA_DIR, PORT: String(port) })
  await until(async () => (await statusOf(`http://127.0.0.1:${port}/healthz`)) === 200)
  assert.equal((await stopServer(server)).status, 0)
  await stopServer(await startServer(context, { DATA_DIR }))
})
