import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

export interface Forwarder {
  port: number
  /** Where new connections lead from now on; those that are open stay, as with a name or a proxy that has moved. */
  move(target: NetConnectOpts): void
  close(): void
}

/** An address on this machine behind which the server changes. */
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
