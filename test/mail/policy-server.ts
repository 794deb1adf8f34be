import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/**
 * A policy server, which Postfix asks about each recipient. `decide` returns an action, such as `DUNNO` or `451 4.3.0 Come again`. Returns
 * its port.
 */
export async function startPolicyServer(
  context: { after(run: () => unknown): void },
  decide: (recipient: string) => string,
): Promise<number> {
  const server = createServer(socket => {
    let text = ''
    socket.on('error', () => {})
    socket.on('data', chunk => {
      const requests = (text + chunk).split('\n\n')
      text = requests.pop()!
      for (const request of requests)
        socket.write(`action=${decide(/^recipient=(.*)$/m.exec(request)![1]!)}\n\n`)
    })
    context.after(() => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  context.after(() => server.close())
  return (server.address() as AddressInfo).port
}
