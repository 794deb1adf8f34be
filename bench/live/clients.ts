import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Open tabs, in a process of their own: raw sockets that listen. An event says when it was asked for: the subject of its
 * ticket is a time. Of presence it is noted when each tab is told of one ticket.
 */
export interface Seat {
  projectId: string
  cookie: string
  tab: string
}

export type Order =
  | { name: 'open'; port: number; seats: Seat[] }
  /** Notes when this ticket is seen in presence. */
  | { name: 'watch'; ticketId: string }
  /** Each tab says what it shows, spread over so many milliseconds, again and again; 0 stops. */
  | { name: 'beat'; everyMs: number }
  | { name: 'take' | 'close' }

export interface Report {
  open: number
  failures: number
  /** Milliseconds from the writing request to each tab, of each event. */
  took: number[]
  /** When each tab saw the ticket that is watched. */
  seenAt: number[]
}

const clock = () => performance.timeOrigin + performance.now()

const newReport = (): Report => ({ open: 0, failures: 0, took: [], seenAt: [] })

let report = newReport()
let watched = ''
let port = 0
let beating: NodeJS.Timeout | undefined
let tabs: { socket: Socket; seat: Seat }[] = []

const request = ({ cookie }: Seat, line: string, rest = '') =>
  `${line} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncookie: ${cookie}\r\nsec-fetch-site: same-origin\r\n${rest}`

/** What came, as far as it has no whole event. */
function note(text: string): string {
  const at = clock()
  let end = 0
  for (const found of text.matchAll(/"subject":"([\d.]+)"/g)) {
    report.took.push(at - Number(found[1]))
    end = found.index + found[0].length
  }
  if (watched && text.includes(watched)) {
    report.seenAt.push(at)
    end = text.length
  }
  return text.slice(Math.max(end, text.length - 100))
}

function listen(seat: Seat, onReady: () => void): Socket {
  const socket = connect(port, '127.0.0.1')
  let rest = ''
  let isReady = false
  const line = `GET /api/dashboard/projects/${seat.projectId}/live?tab=${seat.tab}`
  socket.on('connect', () => socket.write(request(seat, line, '\r\n')))
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
  return socket
}

async function open(order: Order & { name: 'open' }): Promise<void> {
  port = order.port
  let ready = 0
  for (const [at, seat] of order.seats.entries()) {
    tabs.push({ seat, socket: listen(seat, () => ready++) })
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
    const { seat } = tabs[next++ % tabs.length]!
    const body = JSON.stringify({ tab: seat.tab, ticket_id: null, is_typing: false })
    const line = `POST /api/dashboard/projects/${seat.projectId}/presence`
    const rest = `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    socket.write(request(seat, line, rest))
  }, everyMs / tabs.length)
}

function close(): void {
  startBeating(0)
  for (const { socket } of tabs) socket.removeAllListeners('end').destroy()
  tabs = []
}

process.on('message', async (order: Order) => {
  if (order.name === 'open') await open(order)
  if (order.name === 'watch') watched = order.ticketId
  if (order.name === 'beat') startBeating(order.everyMs)
  if (order.name === 'close') close()
  process.send!({ ...report, open: tabs.length })
  if (order.name === 'take') report = newReport()
})
process.on('disconnect', () => process.exit())
