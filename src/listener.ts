import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as Listener } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { codeOf, SetupError } from './core/setup-error.ts'

/** Thousands who wait for events come at once when another process stops, and Node's own 511 would let them wait seconds. */
const backlog = 8_192

export async function listen(server: Server, host: string, port: number): Promise<void> {
  try {
    server.listen({ port, host, backlog })
    await once(server, 'listening')
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EADDRINUSE')
      throw new SetupError(`PORT: ${port} is taken by another program; set it to a free one`)
    if (code === 'EACCES')
      throw new SetupError(`PORT: this user may not listen on ${port}; set it to 1024 or more`)
    throw new SetupError(`HOST: cannot listen on ${host} (${code}); set it to an address of this machine`)
  }
}

/** Milliseconds for taking who waits to be taken. */
const longestQueue = 5_000

/**
 * Takes who has come, and then nobody any more: whoever comes later is refused, and nobody is reset.
 * Calls back when the last connection has ended.
 */
export async function stopListening(server: Server, onDeserted: () => void): Promise<void> {
  await emptyQueue(server)
  // Node's own close of a web server also cuts connections without a request, although one may be on its way to them.
  Listener.prototype.close.call(server, onDeserted)
}

/** Closing resets those whom the system let in and Node has not taken yet, which it does one in each turn of its loop. */
async function emptyQueue(server: Server): Promise<void> {
  const end = performance.now() + longestQueue
  let isEmpty = false
  server.on('connection', () => {
    isEmpty = false
  })
  // The turn that has begun may have taken its one already.
  await nextTurn()
  while (!isEmpty && performance.now() < end) {
    isEmpty = true
    const begun = performance.now()
    await nextTurn()
    // In a longer turn others may have come.
    isEmpty &&= performance.now() - begun < 1
  }
}
