import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Open widgets, in a process of their own: raw sockets that listen. An answer says when it was asked for: its text is a time. */
export interface Seat {
  projectId: string
  token: string
  tab: string
}

export type Order =
  | { name: 'open'; port: number; seats: Seat[] }
  /** Each widget says what it shows, spread over so many milliseconds, again and again; 0 stops. */
  | { name: 'beat'; everyMs: number }
  | { name: 'take' }

export interface Report {
  open: number
  failures: number
  /** Milliseconds from the writing request to the widget. */
  took: number[]
}

const clock = () => performance.timeOrigin + performance.now()
const newReport = (): Report => ({ open: 0, failures: 0, took: [] })

let report = newReport()
let port = 0
let beating: NodeJS.Timeout | undefined
const widgets: { socket: Socket; seat: Seat }[] = []

const request = ({ projectId, token }: Seat, method: string, path: string, rest = '') =>
  `${method} /api/widget/projects/${projectId}${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n` +
  `authorization: Bearer ${token}\r\nsec-fetch-site: same-origin\r\n${rest}`

/** What came, as far as it has no whole message. */
function note(text: string): string {
  const at = clock()
  let end = 0
  for (const found of text.matchAll(/event: message\ndata: .*?"preview":"([\d.]+)"/g)) {
    report.took.push(at - Number(found[1]))
    end = found.index + found[0].length
  }
  return text.slice(Math.max(end, text.length - 4_000))
}

function listen(seat: Seat, onReady: () => void): Socket {
  const socket = connect(port, '127.0.0.1')
  let rest = ''
  let isReady = false
  socket.on('connect', () => socket.write(request(seat, 'GET', `/stream?tab=${seat.tab}`, '\r\n')))
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
    widgets.push({ seat, socket: listen(seat, () => ready++) })
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
    const { seat } = widgets[next++ % widgets.length]!
    const body = JSON.stringify({ tab: seat.tab, is_watching: true, ticket_id: null })
    const rest = `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    socket.write(request(seat, 'POST', '/presence', rest))
  }, everyMs / widgets.length)
}

process.on('message', async (order: Order) => {
  if (order.name === 'open') await open(order)
  if (order.name === 'beat') startBeating(order.everyMs)
  process.send!({ ...report, open: widgets.length })
  if (order.name === 'take') report = newReport()
})
process.on('disconnect', () => process.exit())
