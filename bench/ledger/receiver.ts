import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { makeRandom } from '../seed/words.ts'

/** The webhook target, a process of its own that no kill touches. It writes down every delivery that it is sent. */
export interface Arrival {
  /** The path of the subscription. */
  target: string
  deliveryId: string
  attempt: number
  eventId: string
  type: string
  /** What a refused operation would have said. */
  isForbidden: boolean
}

/** Marks what operations say that must be refused. */
export const forbidden = 'must-never-be-sent'

const arrivals: Arrival[] = []

function receive({ faults, seed }: { faults: number; seed: number }): void {
  const random = makeRandom(seed)
  const server = http.createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray().catch(() => [])).toString()
    const { id, type } = JSON.parse(body)
    const headers = request.headers as Record<string, string>
    arrivals.push({
      target: request.url!.slice(1),
      deliveryId: headers['x-webhook-id']!,
      attempt: Number(headers['x-webhook-attempt']),
      eventId: id,
      type,
      isForbidden: body.includes(forbidden),
    })
    // Some attempts fail after they were written down: their repeats must carry the same id.
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
