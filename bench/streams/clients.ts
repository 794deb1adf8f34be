import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Open pages, in a process of their own: raw sockets that listen. What they are told says when it was asked for: it holds a
 * time. Of presence it is noted when each is told of one ticket.
 */
export interface Seat {
  /** Path of its stream, path where it says what it shows, and what it says. */
  stream: string
  presence: string
  beat: object
  /** The line of the head that says who it is. */
  person: string
}

export type Order =
  /** The group of the expression `time` is the time in what is told. */
  | { name: 'open'; port: number; seats: Seat[]; time: string }
  /** Notes when this ticket is seen in presence. */
  | { name: 'watch'; ticketId: string }
  /** Each says what it shows, spread over so many milliseconds, again and again; 0 stops. */
  | { name: 'beat'; everyMs: number }
  | { name: 'take' }

export interface Report {
  open: number
  failures: number
  /** Milliseconds from the writing request to each page, of each event. */
  took: number[]
  /** When each saw the ticket that is watched. */
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

/** What came, as far as it has no whole event. */
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

/** Over one kept connection for all: what is measured is the server. */
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
