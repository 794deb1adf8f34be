import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

export interface Forwarder {
  port: number
  /**
   * Forwards new connections to this target. Open connections stay, as after a change of DNS or of a proxy.
   */
  move(target: NetConnectOpts): void
  close(): void
}

/** A local address that forwards to a server, which can be replaced. */
export async function startForwarder(target: NetConnectOpts): Promise<Forwarder> {
  let current = target
  const sockets = new Set<Socket>()
  const server = createServer(near => {
    const far = connect(current)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => other.destroy())
    }
    near.pipe(far).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    move(target) {
      current = target
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
