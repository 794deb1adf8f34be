import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../figures.ts'
import { lengthOf } from '../machine/answer.ts'
import { clock, type Kind, now, type Order, type Report, type Seen, stamp } from './order.ts'

/**
 * Independent callers in a separate process. Requests are planned at exponential intervals, and their times are measured from
 * the planned moment, so that delays of an overloaded server or generator are included.
 */

interface Call {
  kind: Kind
  planned: number
}

interface Line {
  order: Order
  /** Connections without a request in progress. */
  idle: Socket[]
  open: Map<Socket, Call | null>
  /** Calls that wait for a connection. */
  waiting: Call[]
  calls: Map<Kind, Tally>
  late: number[]
  /** The time of the last good response. */
  lastAt: number
}

interface Tally {
  planned: number
  good: number[]
  refused: number
  failed: number
  left: number
}

function draw(kinds: Kind[]): Kind {
  let rest = Math.random() * kinds.reduce((sum, { share }) => sum + share, 0)
  for (const kind of kinds) {
    rest -= kind.share
    if (rest < 0) return kind
  }
  return kinds[0]!
}

const print = ({ requests }: Kind): string =>
  requests[Math.floor(Math.random() * requests.length)]!.replaceAll(stamp, clock())

/** Uses an idle connection, else a new one, else waits until one is idle. */
function place(line: Line, call: Call): void {
  const socket = line.idle.pop() ?? (line.open.size < line.order.connections ? dial(line) : null)
  if (!socket) return void line.waiting.push(call)
  line.open.set(socket, call)
  socket.write(print(call.kind))
}

function dial(line: Line): Socket {
  const socket = connect({ port: line.order.port, host: '127.0.0.1', noDelay: true })
  let pending: Buffer | null = null
  socket.on('data', (chunk: Buffer) => {
    const answer = pending ? Buffer.concat([pending, chunk]) : chunk
    const length = lengthOf(answer)
    pending = length === 0 || answer.length < length ? answer : null
    if (!pending) finish(line, socket, answer)
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    const call = line.open.get(socket)
    if (call) line.calls.get(call.kind)!.failed++
    line.open.delete(socket)
    line.idle = line.idle.filter(one => one !== socket)
  })
  return socket
}

function finish(line: Line, socket: Socket, answer: Buffer): void {
  const call = line.open.get(socket)!
  const tally = line.calls.get(call.kind)!
  const status = Number(answer.toString('latin1', 9, 12))
  if (status < 300) {
    line.lastAt = now()
    tally.good.push(line.lastAt - call.planned)
  } else if (status === 429 || status === 503) tally.refused++
  else tally.failed++
  line.open.set(socket, null)
  const next = line.waiting.shift()
  if (!next) return void line.idle.push(socket)
  line.open.set(socket, next)
  socket.write(print(next.kind))
}

/** Gives up calls that have waited too long, and closes their connections. */
function giveUp(line: Line): void {
  const oldest = now() - line.order.patience
  const leave = (call: Call) => line.calls.get(call.kind)!.left++
  while (line.waiting.length && line.waiting[0]!.planned < oldest) leave(line.waiting.shift()!)
  for (const [socket, call] of line.open) {
    if (!call || call.planned >= oldest) continue
    leave(call)
    line.open.delete(socket)
    socket.destroy()
  }
}

const openLine = (order: Order): Line => ({
  order,
  idle: [],
  open: new Map(),
  waiting: [],
  calls: new Map(order.kinds.map(kind => [kind, { planned: 0, good: [], refused: 0, failed: 0, left: 0 }])),
  late: [],
  lastAt: now(),
})

async function arrive(line: Line): Promise<void> {
  const { rate, seconds, kinds } = line.order
  const begun = now()
  const ends = begun + seconds * 1_000
  const pause = () => (-Math.log(1 - Math.random()) / rate) * 1_000
  let next = begun + pause()
  while (next < ends) {
    for (; next <= now() && next < ends; next += pause()) {
      const call = { kind: draw(kinds), planned: next }
      line.calls.get(call.kind)!.planned++
      line.late.push(now() - next)
      place(line, call)
    }
    giveUp(line)
    await sleep(1)
  }
}

const isBusy = ({ open, waiting }: Line): boolean =>
  waiting.length > 0 || [...open.values()].some(call => call !== null)

function sum(tallies: Tally[], seconds: number): Seen {
  const good = tallies.flatMap(tally => tally.good)
  const count = (pick: (tally: Tally) => number) => tallies.reduce((all, tally) => all + pick(tally), 0)
  return {
    planned: count(({ planned }) => planned),
    good: good.length,
    perSecond: good.length / seconds,
    refused: count(({ refused }) => refused),
    failed: count(({ failed }) => failed),
    left: count(({ left }) => left),
    p50: percentile(good, 0.5),
    p99: percentile(good, 0.99),
    max: percentile(good, 1),
  }
}

async function run(order: Order): Promise<Report> {
  const line = openLine(order)
  const cpu = process.cpuUsage()
  const begun = now()
  await arrive(line)
  const { user, system } = process.cpuUsage(cpu)
  const share = (user + system) / 1_000 / (now() - begun)
  while (isBusy(line)) {
    giveUp(line)
    await sleep(5)
  }
  for (const socket of line.open.keys()) socket.destroy()
  const seconds = Math.max(order.seconds, (line.lastAt - begun) / 1_000)
  const kinds = [...line.calls].map(([{ name }, tally]) => [name, sum([tally], seconds)] as const)
  return {
    all: sum([...line.calls.values()], seconds),
    kinds: Object.fromEntries(kinds),
    lateP99: percentile(line.late, 0.99),
    cpu: share,
  }
}

process.on('message', async (order: Order) => process.send!(await run(order)))
process.on('disconnect', () => process.exit())
