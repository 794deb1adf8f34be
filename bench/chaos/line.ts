import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** `delay` delays every chunk. `hold` holds all data until the network is back, like an unplugged cable. */
export type Weather = 'fine' | 'delay' | 'hold'

/** A connection through a faulty network. */
export interface Line {
  port: number
  set(weather: Weather): void
  /** Resets the open connections. */
  cut(): void
  /** The open connections drop all data from now on, but do not close. */
  deaden(): void
  close(): void
}

interface Pair {
  near: Socket
  far: Socket
  isDead: boolean
}

/** Milliseconds for each chunk. */
const delay = 120

class Network {
  readonly pairs = new Set<Pair>()
  #weather: Weather = 'fine'
  #isBack = Promise.withResolvers<void>()

  set(weather: Weather): void {
    this.#weather = weather
    if (weather === 'hold') return
    this.#isBack.resolve()
    this.#isBack = Promise.withResolvers()
  }

  /** Resolves when data may pass; never for a dead connection. */
  async pass(pair: Pair): Promise<void> {
    if (this.#weather === 'delay') await sleep(delay)
    while (this.#weather === 'hold') await this.#isBack.promise
    if (pair.isDead) await new Promise(() => {})
  }

  add(near: Socket, port: number): void {
    const far = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const pair = { near, far, isDead: false }
    this.pairs.add(pair)
    this.#carry(pair, near, far)
    this.#carry(pair, far, near)
  }

  #carry(pair: Pair, from: Socket, to: Socket): void {
    from.setNoDelay(true)
    from.on('data', async chunk => {
      from.pause()
      await this.pass(pair)
      if (to.writable) to.write(chunk)
      from.resume()
    })
    from.on('end', () => this.pass(pair).then(() => to.end()))
    from.on('error', () => {})
    from.on('close', hadError =>
      this.pass(pair).then(() => {
        this.pairs.delete(pair)
        if (hadError) to.resetAndDestroy()
        else to.destroySoon()
      }),
    )
  }
}

/** Opens a line to a port of this machine. */
export async function openLine(port: number): Promise<Line> {
  const network = new Network()
  const server = createServer({ allowHalfOpen: true }, near => network.add(near, port))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const cut = () => {
    for (const { near, far } of network.pairs) for (const socket of [near, far]) socket.resetAndDestroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    set: weather => network.set(weather),
    cut,
    deaden() {
      for (const pair of network.pairs) pair.isDead = true
    },
    close() {
      server.close()
      cut()
    },
  }
}
