import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect, Server as Listener, type ListenOptions } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { SettingError, SetupError } from './core/config/setup-error.ts'
import { portOf } from './core/http/port-of.ts'
import { codeOf } from './core/thrown.ts'

/** When another process stops, thousands of waiting clients reconnect at once. With the 511 of Node.js, they would wait for seconds. */
const backlog = 8_192

/**
 * The number of listening sockets on the port. Node.js accepts one connection per socket in each turn of its event loop, which takes
 * tens of milliseconds under load. Linux distributes new connections among the sockets. Other systems may not, so there it is 1.
 */
const maxListeners = process.platform === 'linux' ? 16 : 1

/** The server's own listener, and others that pass their connections to it. */
export type Listeners = [Server, ...Listener[]]

export async function openListeners(server: Server, host: string, port: number): Promise<Listeners> {
  try {
    const reusePort = maxListeners > 1
    // With SO_REUSEPORT, another program could share the port unnoticed.
    if (reusePort && (await isTaken(host, port))) throw taken(port)
    await open(server, { host, port, reusePort })
    const own = portOf(server)
    const others = Array.from({ length: maxListeners - 1 }, () =>
      openBeside(server, { host, port: own, reusePort }),
    )
    return [server, ...(await Promise.all(others))]
  } catch (error) {
    if (error instanceof SetupError) throw error
    const code = codeOf(error)
    if (code === 'EADDRINUSE') throw taken(port)
    if (code === 'EACCES')
      throw new SettingError(`PORT: this user may not listen on ${port}; set it to 1024 or more`)
    throw new SetupError(`HOST: cannot listen on ${host} (${code}); set it to an address of this machine`)
  }
}

async function open(listener: Listener, at: ListenOptions): Promise<void> {
  listener.listen({ ...at, backlog })
  await once(listener, 'listening')
}

const taken = (port: number): SetupError =>
  new SetupError(`PORT: ${port} is taken by another program; set it to a free one`)

/** Checks as a client. Opening a listener as a trial would reset connections that arrive at it. */
async function isTaken(host: string, port: number): Promise<boolean> {
  if (port === 0) return false
  const hosts = host === '::' ? ['::1', '127.0.0.1'] : [host]
  const answers = await Promise.all(hosts.map(each => isAnswered(each, port)))
  return answers.includes(true)
}

function isAnswered(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port, timeout: callTimeoutMs })
  const { promise, resolve } = Promise.withResolvers<boolean>()
  for (const event of ['connect', 'timeout']) socket.once(event, () => resolve(true))
  socket.once('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}

/** Milliseconds. A program that listens but is too busy to respond still has the port. */
const callTimeoutMs = 1_000

async function openBeside(server: Server, at: ListenOptions): Promise<Listener> {
  // The same options as those of an HTTP server.
  const listener = new Listener({ allowHalfOpen: true, noDelay: true })
  listener.on('connection', socket => server.emit('connection', socket))
  await open(listener, at)
  return listener
}

/** Milliseconds for accepting waiting connections. */
const queueTimeoutMs = 5_000

/**
 * Accepts the waiting connections and then stops listening. Later connections are refused, and none is reset. Calls back when the last
 * connection has ended.
 */
export async function stopListening(listeners: Listeners, onDeserted: () => void): Promise<void> {
  const untilEmpty = watchQueues(listeners)
  const ends: Promise<unknown>[] = []
  for (const one of listeners) {
    await untilEmpty()
    // The `close` of an HTTP server also closes connections without a request, although a request may be on its way.
    ends.push(new Promise(resolve => Listener.prototype.close.call(one, resolve)))
  }
  Promise.all(ends).then(onDeserted)
}

/** Milliseconds. In a longer turn, a connection may have arrived after the check. Under load there may be no short turn, so the limit grows. */
const shortTurn = (waited: number): number => 0.2 + waited / 1_000

/**
 * Closing a listener resets connections that the kernel has accepted but Node.js has not, which takes one per turn of the event loop.
 * The returned function waits for a turn in which no connection was accepted and hardly any can have arrived.
 */
function watchQueues([server]: Listeners): () => Promise<void> {
  const start = performance.now()
  let isEmpty = false
  server.on('connection', () => {
    isEmpty = false
  })
  return async () => {
    // The current turn may already have accepted its connection.
    await nextTurn()
    do {
      isEmpty = true
      const begun = performance.now()
      await nextTurn()
      isEmpty &&= performance.now() - begun < shortTurn(begun - start)
    } while (!isEmpty && performance.now() - start < queueTimeoutMs)
  }
}
