import { connect, type Socket } from 'node:net'
import { lengthOf } from './answer.ts'

/**
 * The load generator, a separate process. It uses raw sockets and prepared requests, so that it costs a fraction of what it
 * measures. Each connection sends its next request after the response.
 */
export interface Order {
  port: number
  connections: number
  seconds: number
  requests: string[]
}

export interface Load {
  count: number
  failures: number
  perSecond: number
  p50: number
  p99: number
  /** The share of one core that the generator used. */
  cpu: number
}

interface Tally {
  times: number[]
  failures: number
  isOver: boolean
}

function drive(socket: Socket, requests: Buffer[], first: number, tally: Tally): Promise<void> {
  return new Promise((resolve, reject) => {
    let turn = first
    let begun = 0
    let pending: Buffer | null = null
    const send = () => {
      begun = performance.now()
      socket.write(requests[turn++ % requests.length]!)
    }
    socket.on('error', reject)
    socket.on('close', () => resolve())
    socket.on('data', (chunk: Buffer) => {
      const answer = pending ? Buffer.concat([pending, chunk]) : chunk
      const length = lengthOf(answer)
      if (length === 0 || answer.length < length) {
        pending = answer
        return
      }
      pending = null
      tally.times.push(performance.now() - begun)
      // "HTTP/1.1 2…"
      if (answer[9] !== 0x32) tally.failures++
      if (tally.isOver) socket.end()
      else send()
    })
    send()
  })
}

async function load({ port, connections, seconds, requests }: Order): Promise<Load> {
  const buffers = requests.map(text => Buffer.from(text))
  const tally: Tally = { times: [], failures: 0, isOver: false }
  const sockets = Array.from({ length: connections }, () =>
    connect({ port, host: '127.0.0.1', noDelay: true }),
  )
  await Promise.all(sockets.map(socket => new Promise(done => socket.once('connect', done))))
  const cpu = process.cpuUsage()
  const begun = performance.now()
  setTimeout(() => {
    tally.isOver = true
  }, seconds * 1000)
  const share = Math.ceil(buffers.length / connections)
  await Promise.all(sockets.map((socket, n) => drive(socket, buffers, n * share, tally)))
  const wall = performance.now() - begun
  const { user, system } = process.cpuUsage(cpu)
  const sorted = Float64Array.from(tally.times).sort()
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
  return {
    count: sorted.length,
    failures: tally.failures,
    perSecond: sorted.length / (wall / 1000),
    p50: at(0.5),
    p99: at(0.99),
    cpu: (user + system) / 1000 / wall,
  }
}

process.on('message', async (order: Order) => process.send!(await load(order)))
process.on('disconnect', () => process.exit())
