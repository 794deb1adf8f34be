import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Db } from '../../src/core/db.ts'
import { deleteOldEvents } from '../../src/events/retention.ts'
import { createKey } from '../../src/keys/keys.ts'
import { createProject } from '../../src/projects/projects.ts'
import { deleteOldRequests } from '../../src/requests/requests.ts'
import { type Caller, openCaller } from '../calls.ts'
import { openDataDir } from '../data.ts'
import { printTable, round } from '../figures.ts'
import { record } from '../results.ts'
import { startServer } from '../server.ts'
import { follow, isFlat, type Sample, takeSamples } from './tables.ts'

const options = {
  minutes: { type: 'string', default: '60' },
  rate: { type: 'string', default: '40' },
  tickets: { type: 'string', default: '500' },
} as const

/** Milliseconds: the log and the calls are kept for so long, instead of days. */
const kept = 30_000
const pause = 5_000

/** Answers every delivery. */
async function openReceiver(): Promise<{ url: string; close(): void }> {
  const server = http.createServer(
    (request, response) => void request.resume().on('end', () => response.end()),
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() }
}

/** What is done to ticket n for the k-th time. */
const deeds = [
  (id: string) => ['POST', `/tickets/${id}/messages`, { content: 'What about my order?' }],
  (id: string, k: number) => ['PATCH', `/tickets/${id}`, { priority: k % 2 ? 'high' : 'low' }],
  (id: string) => ['POST', `/tickets/${id}/close`, {}],
  (id: string) => ['POST', `/tickets/${id}/reopen`, {}],
  (id: string) => ['GET', `/tickets/${id}`, undefined],
] as const

async function work(caller: Caller, ids: string[], rate: number, until: number): Promise<number> {
  const begun = performance.now()
  let done = 0
  for (; performance.now() < until; done++) {
    const early = begun + (done * 1000) / rate - performance.now()
    if (early > 0) await sleep(early)
    const turn = Math.floor(done / ids.length)
    const [method, path, body] = deeds[turn % deeds.length]!(ids[done % ids.length]!, turn)
    const { status, text } = await caller.call(method as string, path as string, body)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
  }
  return done
}

/** As the jobs do, but for minutes instead of days. */
async function sweep(db: Db): Promise<void> {
  while ((await deleteOldEvents(db, { eventRetention: kept })) > 0);
  while ((await deleteOldRequests(db, { requestLogRetention: kept })) > 0);
}

async function watch(db: Db, until: number): Promise<(readonly Sample[])[]> {
  const rounds: (readonly Sample[])[] = []
  while (performance.now() < until) {
    await sleep(pause)
    await sweep(db)
    rounds.push(await takeSamples(db))
  }
  return rounds
}

async function furnish(db: Db, url: string, target: string, count: number) {
  const { id } = await createProject(db, { name: 'Bench' })
  const caller = openCaller(url, (await createKey(db, id, 'Bench')).key)
  await caller.call('POST', '/webhooks', { url: target })
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const { text } = await caller.call('POST', '/tickets', {
      contact: { email: `${n}@mail.example` },
      subject: 'Order',
    })
    ids.push(JSON.parse(text).id)
  }
  return { caller, ids }
}

const kilobytes = (bytes: number) => `${Math.round(bytes / 1024)} KB`

function report(rounds: (readonly Sample[])[], done: number, minutes: number): number {
  const courses = follow(rounds)
  const head = ['table', 'rows', 'dead at most', 'size halfway', 'size at most', '']
  const rows = courses.map(one => [
    one.name,
    one.live,
    one.mostDead,
    kilobytes(one.half),
    kilobytes(one.most),
    isFlat(one) ? 'flat' : 'grows',
  ])
  console.log(`${done} calls in ${minutes} minutes\n\n${printTable(head, rows)}`)
  const grown = courses.filter(one => !isFlat(one))
  const dead = courses.map(({ name, live, mostDead }) => `${name} ${mostDead} of ${live + mostDead}`)
  record('A11', {
    measured: `${minutes} min of churn: ${grown.length ? `${grown.map(({ name }) => name)} grew` : 'hot tables flat'}; dead rows at most ${dead.join(', ')}`,
    isKept: false,
    note: 'Minutes instead of 6 hours, and the tables alone: memory and files are not sampled',
  })
  return grown.length ? 1 : 0
}

/** The same tickets moved again and again: do the tables that are written most stay as large as they are? */
export async function churn(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const dataDir = mkdtempSync(join(tmpdir(), 'deskbell-churn-'))
  const receiver = await openReceiver()
  const server = await startServer({ DATA_DIR: dataDir, REQUEST_LOG: 'on' })
  const { db, close } = await openDataDir(dataDir, 2)
  try {
    const { caller, ids } = await furnish(db, server.url, receiver.url, Number(values.tickets))
    const until = performance.now() + Number(values.minutes) * 60_000
    const [done, rounds] = await Promise.all([
      work(caller, ids, Number(values.rate), until),
      watch(db, until),
    ])
    caller.close()
    return report(rounds, done, round(Number(values.minutes)))
  } finally {
    await close()
    await server.stop()
    receiver.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
