import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Long polling clients in a separate process, as raw sockets that poll again after each response. */
export interface Order {
  port: number
  keys: string[]
  count: number
}

export interface Report {
  answers: number
  failures: number
  /** Milliseconds until the response arrived, for each event and client. */
  took: Took[]
  /** The time of the last response. */
  lastAt: number
}

export interface Took {
  /** Since the request that created the ticket was sent, from its subject. */
  all: number
  /** Since the event's own time, which is before its commit. */
  written: number
}

const clock = () => performance.timeOrigin + performance.now()

let report: Report = { answers: 0, failures: 0, took: [], lastAt: 0 }

const ask = (socket: Socket, key: string, query: string) =>
  socket.write(
    `GET /api/v1/updates?events=ticket.created&${query} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`,
  )

/** The response, or null if it is incomplete. */
function readAnswer(text: string): string | null {
  const head = text.indexOf('\r\n\r\n')
  const length = /content-length: (\d+)/i.exec(text.slice(0, head))?.[1]
  return head > 0 && length && text.length >= head + 4 + Number(length) ? text : null
}

function note(answer: string): string {
  const at = clock()
  report.answers++
  report.lastAt = at
  if (!answer.startsWith('HTTP/1.1 200')) report.failures++
  for (const [, written, begun] of answer.matchAll(/"timestamp":"([^"]+)".*?"subject":"([\d.]+)"/g))
    report.took.push({ all: at - Number(begun), written: at - Date.parse(written!) })
  return /"last_seq":(\d+)/.exec(answer)?.[1] ?? ''
}

/** The first request finds the end of the log. After `onReady`, no event can be missed. */
function wait(port: number, key: string, onReady: () => void): Socket {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.once('data', onReady)
  socket.on('connect', () => ask(socket, key, 'timeout=0'))
  socket.on('data', chunk => {
    text += chunk.toString('latin1')
    const answer = readAnswer(text)
    if (answer === null) return
    text = ''
    ask(socket, key, `timeout=55&after=${note(answer)}`)
  })
  socket.on('error', () => report.failures++)
  return socket
}

let sockets: Socket[] = []

async function open({ port, keys, count }: Order): Promise<void> {
  let ready = 0
  for (let at = 0; at < count; at++) {
    sockets.push(wait(port, keys[at % keys.length]!, () => ready++))
    while (at - ready >= 100) await sleep(5)
  }
  while (ready < count) await sleep(20)
  process.send!('open')
}

process.on('message', async (order: Order | 'take' | 'close') => {
  if (order === 'take') {
    process.send!(report)
    report = { answers: 0, failures: 0, took: [], lastAt: 0 }
  } else if (order === 'close') {
    for (const socket of sockets) socket.destroy()
    sockets = []
    process.send!('closed')
  } else await open(order)
})
process.on('disconnect', () => process.exit())
