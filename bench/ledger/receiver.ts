import { createHash } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { makeRandom } from '../seed/words.ts'

/** The webhook target, a separate process that is never killed. It records every delivery. */
export interface Arrival {
  /** The path of the subscription. */
  target: string
  deliveryId: string
  attempt: number
  eventId: string
  type: string
  /** A hash of the bytes. */
  body: string
  /** Whether it contains the text of a refused operation. */
  isForbidden: boolean
  /** When the request arrived, in milliseconds since 1970. */
  at: number
  /** Milliseconds from the event's time until the arrival. */
  age: number
}

/** Marks the texts of operations that must be refused. */
export const forbidden = 'must-never-be-sent'

const arrivals: Arrival[] = []

function receive({ faults, seed }: { faults: number; seed: number }): void {
  const random = makeRandom(seed)
  const server = http.createServer(async (request, response) => {
    const at = Date.now()
    const body = Buffer.concat(await request.toArray().catch(() => [])).toString()
    // A request that was aborted has delivered nothing.
    if (!request.complete) return
    const { id, type, timestamp } = JSON.parse(body)
    const headers = request.headers as Record<string, string>
    arrivals.push({
      target: request.url!.slice(1),
      deliveryId: headers['x-webhook-id']!,
      attempt: Number(headers['x-webhook-attempt']),
      eventId: id,
      type,
      body: createHash('sha1').update(body).digest('base64'),
      isForbidden: body.includes(forbidden),
      at,
      age: at - Date.parse(timestamp),
    })
    // Some attempts fail after they were recorded. Their repeats must have the same id.
    response.writeHead(random() < faults ? 500 : 200).end()
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
}

process.on('message', (message: { take?: true; faults: number; seed: number }) => {
  if (message.take) process.send!(arrivals.splice(0, 20_000))
  else receive(message)
})
process.on('disconnect', () => process.exit())
