import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

/**
 * A proxy that simulates a bad connection to an SMTP server. `hang`: passes on nothing from the server. `cut`: closes the next connection
 * when the server has accepted an email, without passing on its response.
 */
export async function startSmtpProxy(context: { after(run: () => unknown): void }, port: number) {
  const state = { mode: 'pass' as 'pass' | 'hang' | 'cut' }
  const server = createServer(client => {
    const upstream = connect(port, '127.0.0.1')
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    const { mode } = state
    let last = ''
    client.on('data', chunk => {
      last = (last + chunk.toString('latin1')).slice(-5)
      upstream.write(chunk)
    })
    upstream.on('data', chunk => {
      if (mode === 'hang') return
      if (mode === 'pass' || last !== '\r\n.\r\n') return void client.write(chunk)
      state.mode = 'pass'
      end()
    })
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end)
    context.after(end)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  context.after(() => server.close())
  return { port: (server.address() as AddressInfo).port, state }
}
