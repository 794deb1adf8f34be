import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

export interface ThrottlingServer {
  port: number
  /** Rejects logins with this text; if empty, passes connections on. */
  text: string
  /** How many logins were rejected. */
  rejected: number
}

/** An IMAP server in front of another one, which can reject logins as providers do under load. */
export async function startThrottlingServer(
  context: { after(run: () => unknown): void },
  target: number,
): Promise<ThrottlingServer> {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
    if (state.text) return reject(socket)
    const upstream = connect(target, '127.0.0.1')
    upstream.on('error', () => socket.destroy()).once('close', () => socket.destroy())
    socket
      .once('close', () => upstream.destroy())
      .pipe(upstream)
      .pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  context.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const state: ThrottlingServer = { port: (server.address() as AddressInfo).port, text: '', rejected: 0 }
  return state

  function reject(socket: Socket): void {
    socket.write('* OK ready\r\n')
    createInterface({ input: socket }).on('line', line => {
      const [tag, command = ''] = line.split(' ')
      if (command === 'AUTHENTICATE') {
        state.rejected++
        socket.write(`${tag} NO ${state.text}\r\n`)
      } else {
        const untagged = command === 'CAPABILITY' ? '* CAPABILITY IMAP4rev1 SASL-IR AUTH=XOAUTH2\r\n' : ''
        socket.write(`${untagged}${tag} OK done\r\n`)
      }
    })
  }
}
