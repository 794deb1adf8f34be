import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Those who wait, in a process of their own: raw sockets that ask for events again as soon as they are answered. */
export interface Order {
  port: number
  keys: string[]
  count: number
}

export interface Report {
  answers: number
  failures: number
  /** Milliseconds to the answer here, for each event and client. */
  took: Took[]
  /** When the last answer came. */
  lastAt: number
}

export interface Took {
  /** Since the request that made the ticket was sent, which its subject tells. */
  all: number
  /** Since the event was written, by its own time, which lies before its commit. */
  written: number
}

const clock = () => performance.timeOrigin + performance.now()

let report: Report = { answers: 0, failures: 0, took: [], lastAt: 0 }

const ask = (socket: Socket, key: string, query: string) =>
  socket.write(
    `GET /api/v1/updates?events=ticket.created&${query} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`,
  )

/** The answer, or null while it is not whole. */
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

/** The first question only finds out where the log ends; `onReady` tells that from now on no event can be missed. */
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
