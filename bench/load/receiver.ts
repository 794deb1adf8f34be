import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { now } from './order.ts'

/** A webhook receiver in a separate process. Measures the time since the request that created the ticket was sent. */
export interface Received {
  count: number
  took: number[]
}

const empty = (): Received => ({ count: 0, took: [] })
let received = empty()

const server = http.createServer(async (request, response) => {
  const at = now()
  const body = Buffer.concat(await request.toArray()).toString()
  response.end()
  received.count++
  const begun = /"type":"ticket.created".*"subject":"(\d+\.\d{3})"/.exec(body)?.[1]
  if (begun) received.took.push(at - Number(begun))
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
process.on('message', () => {
  process.send!(received)
  received = empty()
})
process.on('disconnect', () => process.exit())
