import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Open pages in a separate process, as raw sockets. Each event contains the time of its request. For presence, records when
 * each page sees one ticket.
 */
export interface Seat {
  /** The paths of its stream and its presence requests, and the body of a presence request. */
  stream: string
  presence: string
  beat: object
  /** The header line with its credentials. */
  person: string
}

export type Order =
  /** The group in the expression `time` matches the time in an event. */
  | { name: 'open'; port: number; seats: Seat[]; time: string }
  /** Records when this ticket appears in presence. */
  | { name: 'watch'; ticketId: string }
  /** Every page repeatedly sends its presence, spread over this many milliseconds; 0 stops. */
  | { name: 'beat'; everyMs: number }
  | { name: 'take' }

export interface Report {
  open: number
  failures: number
  /** Milliseconds from the writing request to the arrival, for each event and page. */
  took: number[]
  /** When each page saw the watched ticket. */
  seenAt: number[]
}

const clock = () => performance.timeOrigin + performance.now()

const newReport = (): Report => ({ open: 0, failures: 0, took: [], seenAt: [] })

let report = newReport()
let times = / /g
let watched = ''
let port = 0
let beating: NodeJS.Timeout | undefined
const seats: Seat[] = []

const request = ({ person }: Seat, line: string, rest = '') =>
  `${line} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${person}\r\nsec-fetch-site: same-origin\r\n${rest}`

/** Buffers incomplete events. */
function note(text: string): string {
  const at = clock()
  let end = 0
  for (const found of text.matchAll(times)) {
    report.took.push(at - Number(found[1]))
    end = found.index + found[0].length
  }
  if (watched && text.includes(watched)) {
    report.seenAt.push(at)
    end = text.length
  }
  return text.slice(Math.max(end, text.length - 4_000))
}

function listen(seat: Seat, onReady: () => void): void {
  const socket = connect(port, '127.0.0.1')
  let rest = ''
  let isReady = false
  socket.on('connect', () => socket.write(request(seat, `GET ${seat.stream}`, '\r\n')))
  socket.on('data', chunk => {
    rest += chunk.toString('latin1')
    if (!isReady && rest.includes('event: ready')) {
      isReady = true
      onReady()
    }
    rest = note(rest)
  })
  const fail = () => report.failures++
  socket.on('error', fail).on('end', fail)
}

async function open(order: Order & { name: 'open' }): Promise<void> {
  port = order.port
  times = new RegExp(order.time, 'g')
  let ready = 0
  for (const [at, seat] of order.seats.entries()) {
    seats.push(seat)
    listen(seat, () => ready++)
    while (at - ready >= 50 && report.failures === 0) await sleep(5)
  }
  while (ready < order.seats.length && report.failures === 0) await sleep(20)
}

/** Sends for all pages over one keep-alive connection, to keep the client's cost low. */
function startBeating(everyMs: number): void {
  clearInterval(beating)
  if (everyMs === 0) return
  const socket = connect(port, '127.0.0.1').on('error', () => report.failures++)
  socket.on('data', chunk => {
    const statuses = chunk.toString('latin1').match(/HTTP\/1\.1 (\d+)/g) ?? []
    report.failures += statuses.filter(status => !status.endsWith('204')).length
  })
  let next = 0
  beating = setInterval(() => {
    const seat = seats[next++ % seats.length]!
    const body = JSON.stringify(seat.beat)
    const rest = `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    socket.write(request(seat, `POST ${seat.presence}`, rest))
  }, everyMs / seats.length)
}

process.on('message', async (order: Order) => {
  if (order.name === 'open') await open(order)
  if (order.name === 'watch') watched = order.ticketId
  if (order.name === 'beat') startBeating(order.everyMs)
  process.send!({ ...report, open: seats.length })
  if (order.name === 'take') report = newReport()
})
process.on('disconnect', () => process.exit())
