import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import http from 'node:http'
import { type AddressInfo, createServer } from 'node:net'

/** A webhook receiver in a separate process. The beginning of the path selects a good or bad response. */

/** The event's number, the path without its slash, and the time of arrival. */
export type Arrival = [number: number, target: string, at: number]

export interface Places {
  port: number
  /** Accepts connections but sends nothing, so that a TLS handshake hangs. */
  silent: number
  /** A DNS server that never responds. */
  names: number
}

/** How an endless response ended. */
export interface Flood {
  sent: number
  /** Milliseconds from the first byte until the connection was closed. */
  took: number
}

const clock = () => performance.timeOrigin + performance.now()
const gigabyte = 2 ** 30
const chunk = Buffer.alloc(64 * 1024, 'x')

let arrivals: Arrival[] = []
let floods: Flood[] = []

/** Sends up to 1 GB as fast as possible. */
function flood(response: http.ServerResponse): void {
  const begun = clock()
  const socket = response.socket!
  response.writeHead(200, { 'content-length': gigabyte })
  let left = gigabyte
  const send = () => {
    while (left > 0 && !socket.destroyed) {
      left -= chunk.length
      if (!response.write(chunk)) return
    }
  }
  response.on('drain', send)
  socket.on('error', () => {})
  socket.once('close', () => floods.push({ sent: socket.bytesWritten, took: clock() - begun }))
  send()
}

/** Sends one byte per second until the reader disconnects. */
function drip(response: http.ServerResponse): void {
  response.writeHead(200)
  const timer = setInterval(() => response.write('x'), 1_000)
  response.once('close', () => clearInterval(timer))
}

const answers: Record<string, (response: http.ServerResponse) => unknown> = {
  hang: () => {},
  reset: response => response.socket!.resetAndDestroy(),
  endless: drip,
  flood,
}

const server = http.createServer(async (request, response) => {
  const at = clock()
  const body = Buffer.concat(await request.toArray()).toString()
  const target = request.url!.slice(1)
  arrivals.push([Number(/"status":"(\d+)"/.exec(body)?.[1]), target, at])
  const answer = answers[target.split('-')[0]!]
  if (answer) answer(response)
  else response.end()
})
server.keepAliveTimeout = 60_000

async function open(): Promise<Places> {
  server.listen(0, '127.0.0.1')
  const silent = createServer(socket => socket.on('error', () => {})).listen(0, '127.0.0.1')
  const names = createSocket('udp4').bind(0, '127.0.0.1')
  await Promise.all([server, silent, names].map(one => once(one, 'listening')))
  const portOf = (one: typeof server | typeof silent) => (one.address() as AddressInfo).port
  return { port: portOf(server), silent: portOf(silent), names: names.address().port }
}

process.on('message', async (order: 'open' | 'take' | 'floods') => {
  if (order === 'open') process.send!(await open())
  else if (order === 'take') {
    process.send!(arrivals)
    arrivals = []
  } else {
    process.send!(floods)
    floods = []
  }
})
process.on('disconnect', () => process.exit())
