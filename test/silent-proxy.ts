import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface SilentProxy {
  port: number
  /** Discards everything sent on the open connections from now on, without closing them. */
  swallow(): void
  /** How often data was sent through it. */
  countSent(): number
  close(): void
}

/** Forwards to a Unix socket over connections that can die silently, as in a network. */
export async function openSilentProxy(path: string): Promise<SilentProxy> {
  const pairs = new Set<[near: Socket, far: Socket]>()
  let sent = 0
  const server = createServer(near => {
    const far = connect(path)
    pairs.add([near, far])
    near.on('data', () => sent++)
    near.pipe(far).pipe(near)
    for (const socket of [near, far]) socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    swallow() {
      for (const [near, far] of pairs) {
        near.unpipe(far).resume()
        far.unpipe(near).resume()
      }
    },
    countSent: () => sent,
    close() {
      server.close()
      for (const socket of [...pairs].flat()) socket.destroy()
    },
  }
}
