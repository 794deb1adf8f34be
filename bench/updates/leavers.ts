import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile, round } from '../figures.ts'
import { countOpen, memoryOf } from '../process.ts'
import type { Shown } from './show.ts'
import { addKeys, clock, type Stage } from './stage.ts'

const ask = (key: string, timeout: number): string =>
  `GET /api/v1/updates?timeout=${timeout} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`

/** Milliseconds from the request to the response, and the status. */
function time(port: number, key: string, timeout: number): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const begun = clock()
    const socket = connect(port, '127.0.0.1', () => socket.write(ask(key, timeout)))
    socket.once('data', chunk => {
      socket.destroy()
      resolve([clock() - begun, chunk.toString('latin1', 9, 12)])
    })
    socket.on('error', reject)
  })
}

/** Measures waiting calls without events. */
export async function expire(stage: Stage): Promise<Shown> {
  const [key] = (await addKeys(stage, 1)) as [string]
  const seconds = 3
  const answers: Promise<[number, string]>[] = []
  for (let at = 0; at < 1_000; at++) {
    answers.push(time(stage.server.port, key, seconds))
    if (at % 20 === 0) await sleep(10)
  }
  const all = await Promise.all(answers)
  const late = all.map(([took]) => took / 1_000 - seconds)
  const good = all.filter(([, status]) => status === '200').length
  const [first, last] = [percentile(late, 0), percentile(late, 1)]
  return {
    id: 'U7',
    what: `1,000 waits of ${seconds} s without an event end`,
    wanted: '0 to 2 s late, all 200',
    measured: `${round(first, 3)} to ${round(last, 3)} s late, ${good} answered 200`,
    isKept: first >= 0 && last <= 2 && good === 1_000,
  }
}

async function countWaiting({ server }: Stage): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  return Number(/^deskbell_waiters\{kind="updates"\} (\d+)/m.exec(text)?.[1])
}

async function until(isSo: () => Promise<boolean>): Promise<number> {
  const begun = clock()
  while (!(await isSo())) {
    if (clock() - begun > 30_000) throw new Error('Those who left are still counted after 30 s')
    await sleep(2)
  }
  return clock() - begun
}

/** Opens waiting calls and closes them all at once. Returns the milliseconds until the server counts none. */
async function comeAndGo(stage: Stage, key: string, count: number): Promise<number> {
  const sockets: Socket[] = []
  for (let at = 0; at < count; at++) {
    const socket = connect(stage.server.port, '127.0.0.1', () => socket.write(ask(key, 55)))
    socket.on('error', () => {})
    sockets.push(socket)
  }
  await until(async () => (await countWaiting(stage)) === count)
  for (const socket of sockets) socket.destroy()
  return until(async () => (await countWaiting(stage)) === 0)
}

/** Measures callers that disconnect while they wait. */
export async function leave(stage: Stage, count: number): Promise<Shown> {
  const [key] = (await addKeys(stage, 1)) as [string]
  const each = 500
  for (let turn = 0; turn < 10; turn++) await comeAndGo(stage, key, each)
  const before = { memory: memoryOf(stage.server), files: countOpen(stage.server) }
  const took: number[] = []
  for (let left = 0; left < count; left += each) took.push(await comeAndGo(stage, key, each))
  const rise = memoryOf(stage.server) - before.memory
  const files = countOpen(stage.server) - before.files
  return {
    id: 'U8',
    what: `${count} callers leave while they wait, ${each} at a time`,
    wanted: 'all freed within 100 ms; at most 5 MB and no descriptor more',
    measured: `freed within ${round(percentile(took, 0.99), 0)} ms; ${round(rise, 1)} MB, ${files} descriptors more`,
    isKept: percentile(took, 0.99) <= 100 && rise <= 5 && files <= 0,
  }
}
