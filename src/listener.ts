import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect, Server as Listener, type ListenOptions } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { codeOf, SettingError, SetupError } from './core/setup-error.ts'

/** Thousands who wait for events come at once when another process stops, and Node's own 511 would let them wait seconds. */
const backlog = 8_192

/**
 * Of one port. Node takes one connection from a listener in each turn of its loop, which is tens of milliseconds under
 * load. The system shares those who come out among its listeners; not on all systems, so there is one elsewhere.
 */
const maxListeners = process.platform === 'linux' ? 16 : 1

/** The server's own listener, and others that hand it who comes. */
export type Listeners = [Server, ...Listener[]]

export async function openListeners(server: Server, host: string, port: number): Promise<Listeners> {
  try {
    const reusePort = maxListeners > 1
    // A port that is shared may be shared with another program too.
    if (reusePort && (await isTaken(host, port))) throw taken(port)
    await open(server, { host, port, reusePort })
    const own = (server.address() as AddressInfo).port
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

/** Asked as a client: a listener that is opened to try resets whoever comes to it. */
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

/** Milliseconds: somebody who listens and is too busy to answer has the port all the same. */
const callTimeoutMs = 1_000

async function openBeside(server: Server, at: ListenOptions): Promise<Listener> {
  // As a web server's own.
  const listener = new Listener({ allowHalfOpen: true, noDelay: true })
  listener.on('connection', socket => server.emit('connection', socket))
  await open(listener, at)
  return listener
}

/** Milliseconds for taking who waits to be taken. */
const queueTimeoutMs = 5_000

/**
 * Takes who has come, and then nobody any more: whoever comes later is refused, and nobody is reset.
 * Calls back when the last connection has ended.
 */
export async function stopListening(listeners: Listeners, onDeserted: () => void): Promise<void> {
  const untilEmpty = watchQueues(listeners)
  const ends: Promise<unknown>[] = []
  for (const one of listeners) {
    await untilEmpty()
    // Node's own close of a web server also cuts connections without a request, although one may be on its way to them.
    ends.push(new Promise(resolve => Listener.prototype.close.call(one, resolve)))
  }
  Promise.all(ends).then(onDeserted)
}

/** Milliseconds: in a longer turn somebody may have come after it looked. Under load there may be none, so it grows. */
const shortTurn = (waited: number): number => 0.2 + waited / 1_000

/**
 * Closing a listener resets those whom the system let in and Node has not taken yet, one in each turn of its loop. What
 * this returns waits for a turn in which nobody was taken and hardly anybody can have come.
 */
function watchQueues([server]: Listeners): () => Promise<void> {
  const start = performance.now()
  let isEmpty = false
  server.on('connection', () => {
    isEmpty = false
  })
  return async () => {
    // The turn that has begun may have taken its one already.
    await nextTurn()
    do {
      isEmpty = true
      const begun = performance.now()
      await nextTurn()
      isEmpty &&= performance.now() - begun < shortTurn(begun - start)
    } while (!isEmpty && performance.now() - start < queueTimeoutMs)
  }
}
