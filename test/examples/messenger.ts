import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { until } from '../until.ts'

/** A messenger with the API that docs/examples/messenger-bridge expects. */

interface Sent {
  id: string
  key: string
  to: string
  text: string
  files: { name: string; base64: string }[]
  reply_to: string | null
}

export interface Messenger {
  url: string
  events: { number: number }[]
  /** The messages sent to customers, one for each key, in order. */
  sent: Sent[]
  /** The number of requests that repeated a key. */
  repeated: number
  /** Customers who cannot be reached. */
  refusing: Set<string>
  /** How many of the next accepted messages get no response. */
  losing: number
  /** Adds an event, and returns its number. */
  add(event: Record<string, unknown>): number
  /** A customer writes a message. Returns its id. */
  say(from: string, text: string, fields?: Record<string, unknown>): string
}

const files: Record<string, string> = { '/files/photo.txt': 'A photo of the parcel' }

type Answer = [status: number, body: object | string]

type Body = Omit<Sent, 'id' | 'key'>

function send(messenger: Messenger, key: string, body: Body): Answer {
  if (messenger.refusing.has(body.to)) return [403, { error: 'The customer has blocked you' }]
  const earlier = messenger.sent.find(one => one.key === key)
  if (earlier) messenger.repeated++
  const sent = earlier ?? { ...body, key, id: `r-${messenger.sent.length + 1}` }
  if (!earlier) messenger.sent.push(sent)
  return [200, { id: sent.id }]
}

function edit(messenger: Messenger, key: string, { text }: Body): Answer {
  const sent = messenger.sent.find(one => one.key === key)
  if (!sent) return [404, { error: 'No such message' }]
  sent.text = text
  return [200, {}]
}

/** Waits for an event after a number. */
async function listEvents(messenger: Messenger, url: URL, { socket }: IncomingMessage): Promise<Answer> {
  const after = Number(url.searchParams.get('after'))
  const { events } = messenger
  await until(() => events.length > after || socket.destroyed, 20).catch(() => {})
  return [200, { events: events.slice(after, after + 20) }]
}

async function answer(messenger: Messenger, request: IncomingMessage): Promise<Answer> {
  const url = new URL(request.url ?? '', messenger.url)
  const key = url.pathname.replace('/messages/', '')
  if (request.method === 'PUT') return send(messenger, key, (await json(request)) as Body)
  if (request.method === 'PATCH') return edit(messenger, key, (await json(request)) as Body)
  if (url.pathname === '/events') return listEvents(messenger, url, request)
  const file = files[url.pathname]
  return file ? [200, file] : [404, { error: 'Nothing here' }]
}

async function respond(messenger: Messenger, request: IncomingMessage, response: ServerResponse) {
  const [status, body] = await answer(messenger, request)
  const isLost = request.method === 'PUT' && status === 200 && messenger.losing > 0
  if (isLost) {
    messenger.losing--
    response.destroy()
    return
  }
  const isText = typeof body === 'string'
  response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json' })
  response.end(isText ? body : JSON.stringify(body))
}

export async function startMessenger(context: { after(run: () => void): void }): Promise<Messenger> {
  const events: Messenger['events'] = []
  const messenger: Messenger = {
    ...{ url: '', events, sent: [], repeated: 0, refusing: new Set(), losing: 0 },
    add: event => events.push({ ...event, number: events.length + 1 }),
    say(from, text, fields = {}) {
      const id = `m-${events.length + 1}`
      messenger.add({ type: 'message', id, from: { id: from, name: `Customer ${from}` }, text, ...fields })
      return id
    },
  }
  const server = createServer((request, response) => {
    respond(messenger, request, response).catch(() => response.destroy())
  })
  context.after(() => server.close().closeAllConnections())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  messenger.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return messenger
}
