import { createHash } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { clock } from '../delivery/measure.ts'

/** Milliseconds before the second and each later attempt: a thousandth of the real delays. */
export const delays = [30, 120, 600, 3_600, 21_600]

interface Seen {
  attempts: number[]
  bodies: Set<string>
  endedAt: number
}

/** How late attempts arrived, and differences between the attempts of one delivery. */
export interface Book {
  deliveries: Map<string, Seen>
  /** Milliseconds. */
  late: number[]
  /** The path and time of every request. */
  arrivals: [path: string, at: number][]
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

function note({ deliveries, late }: Book, headers: http.IncomingHttpHeaders, body: Buffer, at: number): Seen {
  const id = String(headers['x-webhook-id'])
  const attempt = Number(headers['x-webhook-attempt'])
  const seen = deliveries.get(id) ?? { attempts: [], bodies: new Set(), endedAt: Number.NaN }
  deliveries.set(id, seen)
  seen.attempts.push(attempt)
  seen.bodies.add(`${sha256(body)} ${JSON.parse(body.toString()).id} ${headers['x-webhook-event']}`)
  if (attempt > 1) late.push(at - seen.endedAt - delays[attempt - 2]!)
  return seen
}

/** Which attempt of a delivery succeeds, 1 to 6, derived from its id. */
const lucky = (id: string): number => 1 + (Number.parseInt(id.slice(-6), 16) % 6)

/** `/plan/…` succeeds at one of the six attempts. All other paths always fail. */
export async function startReceiver() {
  const book: Book = { deliveries: new Map(), late: [], arrivals: [] }
  const server = http.createServer(async (request, response) => {
    const at = clock()
    const body = Buffer.concat(await request.toArray())
    book.arrivals.push([request.url!, at])
    if (!request.url!.startsWith('/plan')) return void response.writeHead(500).end()
    const seen = note(book, request.headers, body, at)
    const isLucky = lucky(String(request.headers['x-webhook-id'])) === seen.attempts.at(-1)
    response.writeHead(isLucky ? 204 : 500).end()
    seen.endedAt = clock()
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    book,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
