import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Db } from '../../src/core/db/db.ts'
import type { Target } from './targets.ts'

/** A vulnerable server as a control: if sqlmap does not find this injection, its results are meaningless. */
export async function startControl(db: Db): Promise<{ target: Target; close(): void }> {
  const server = createServer(async (request, response) => {
    const name = new URL(request.url!, 'http://x').searchParams.get('name')
    try {
      const rows = await db.unsafe(`select name from projects where name = '${name}'`)
      response.end(JSON.stringify(rows))
    } catch {
      response.writeHead(422).end('{"detail":"refused"}')
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const target = { name: 'control', options: ['-u', `http://127.0.0.1:${port}/?name=Acme`, '-p', 'name'] }
  return { target, close: () => void server.close() }
}
