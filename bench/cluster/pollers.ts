import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** Programs in a separate process that follow the logs of their projects and check that they miss no event. */
export interface Order {
  url: string
  keys: string[]
  count: number
}

/** The end of the log for each key. A program that has read up to it is done. */
export type Ends = Record<string, number>

export interface Report {
  answers: number
  failures: number
  /** The causes of the first failures. */
  causes: string[]
  lost: number
  repeated: number
}

const agent = new http.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
const report: Report = { answers: 0, failures: 0, causes: [], lost: 0, repeated: 0 }
let ends: Ends | null = null

async function ask(url: string, key: string, query: string): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
  const headers = { authorization: `Bearer ${key}` }
  http.get(`${url}/api/v1/updates?${query}`, { agent, headers }, resolve).on('error', reject)
  const response = await promise
  const chunks = await response.toArray()
  return { status: response.statusCode!, text: Buffer.concat(chunks).toString() }
}

function fail(cause: string): null {
  report.failures++
  if (report.causes.length < 5) report.causes.push(cause.slice(0, 200))
  return null
}

async function read(url: string, key: string, query: string) {
  try {
    const { status, text } = await ask(url, key, query)
    report.answers++
    return status === 200 ? JSON.parse(text) : fail(`${status} ${text}`)
  } catch (error) {
    return fail(String(error))
  }
}

/** Records missing and repeated numbers. */
function note(items: { seq: number }[], cursor: number): void {
  let next = cursor + 1
  for (const { seq } of items) {
    if (seq < next) report.repeated++
    else report.lost += seq - next
    next = Math.max(next, seq + 1)
  }
}

async function follow(url: string, key: string, onReady: () => void): Promise<void> {
  let cursor: number = (await read(url, key, 'timeout=0'))!.last_seq
  onReady()
  while (!ends || cursor < ends[key]!) {
    const page = await read(url, key, `after=${cursor}&timeout=25`)
    if (!page) await sleep(100)
    else {
      note(page.items, cursor)
      cursor = page.last_seq
    }
  }
}

async function open({ url, keys, count }: Order): Promise<void> {
  let ready = 0
  const following: Promise<void>[] = []
  for (let at = 0; at < count; at++) {
    following.push(follow(url, keys[at % keys.length]!, () => ready++))
    while (at - ready >= 50) await sleep(5)
  }
  while (ready < count) await sleep(20)
  process.send!('open')
  await Promise.all(following)
  process.send!(report)
}

process.on('message', (message: Order | Ends) => {
  if ('keys' in message) void open(message as Order)
  else ends = message as Ends
})
process.on('disconnect', () => process.exit())
