import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A stand-in for the Zendesk API, with pages as in its documentation and faults that a test chooses. */

export interface ZendeskStandIn {
  url: string
  /** The path and query of each request, in order. */
  requests: string[]
  /** Called before each response. Returns true if it has responded itself. */
  fault: ((path: string, response: ServerResponse) => boolean) | null
  pages: Record<string, object>
  files: Record<string, Buffer>
  close(): void
}

export const zendeskToken = 'zendesk-token'
export const zendeskEmail = 'admin@acme.example'

const expected = `Basic ${Buffer.from(`${zendeskEmail}/token:${zendeskToken}`).toString('base64')}`

function answer(standIn: ZendeskStandIn, request: IncomingMessage, response: ServerResponse): void {
  const path = request.url!
  standIn.requests.push(path)
  if (request.headers.authorization !== expected) return void response.writeHead(401).end()
  if (standIn.fault?.(path, response)) return
  const [name = ''] = path.split('?')
  const cursor = /(?:[?&]cursor=|page(?:\[|%5B)after(?:\]|%5D)=)(\w+)/.exec(path)?.[1]
  const page = standIn.pages[cursor ? `${name}#${cursor}` : name]
  const file = standIn.files[name]
  if (page) response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page))
  else if (file) response.writeHead(200, { 'content-length': file.length }).end(file)
  else response.writeHead(404).end('{"error":"RecordNotFound"}')
}

export async function startZendesk(
  makePages: (url: string) => Pick<ZendeskStandIn, 'pages' | 'files'>,
): Promise<ZendeskStandIn> {
  const server = createServer((request, response) => answer(standIn, request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const standIn: ZendeskStandIn = {
    url,
    requests: [],
    fault: null,
    ...makePages(url),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return standIn
}
