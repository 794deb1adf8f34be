import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Db } from '../../src/core/db/db.ts'
import { deleteOldEvents } from '../../src/events/retention.ts'
import { createKey } from '../../src/keys/keys.ts'
import { createProject } from '../../src/projects/projects.ts'
import { deleteOldRequests } from '../../src/requests/requests.ts'
import { openCaller } from '../calls.ts'
import { openDataDir } from '../data.ts'
import { printTable, round } from '../figures.ts'
import { record } from '../results.ts'
import { type Server, startServer } from '../server.ts'
import { listen, send, work } from './deeds.ts'
import { type Hold, type Reading, rangeOf, slopeOf, takeHold } from './memory.ts'
import { type Course, follow, isFlat, type Sample, takeSamples } from './tables.ts'

const options = {
  minutes: { type: 'string', default: '60' },
  rate: { type: 'string', default: '75' },
  tickets: { type: 'string', default: '500' },
} as const

/** The retention of events and logged requests in milliseconds, instead of days. */
const kept = 30_000
const pause = 5_000

/** Accepts every delivery. */
async function openReceiver(): Promise<{ url: string; close(): void }> {
  const server = http.createServer(
    (request, response) => void request.resume().on('end', () => response.end()),
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() }
}

/** Deletes old rows like the jobs, after minutes instead of days. */
async function sweep(db: Db): Promise<void> {
  while ((await deleteOldEvents(db, { eventRetention: kept, readers: [] })) > 0);
  while ((await deleteOldRequests(db, { requestLogRetention: kept })) > 0);
}

interface Round {
  tables: readonly Sample[]
  hold: Hold
}

async function watch(db: Db, server: Server, until: number): Promise<Round[]> {
  const rounds: Round[] = []
  while (performance.now() < until) {
    await sleep(pause)
    await sweep(db)
    rounds.push({ tables: await takeSamples(db), hold: takeHold(server) })
  }
  return rounds
}

async function furnish(db: Db, url: string, target: string, count: number) {
  const { id } = await createProject(db, { name: 'Bench' })
  const { key } = await createKey(db, id, 'Bench')
  const caller = openCaller(url, key)
  await caller.call('POST', '/webhooks', { url: target })
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const contact = { email: `${n}@mail.example` }
    const { text } = await caller.call('POST', '/tickets', { contact, subject: 'Order' })
    ids.push(JSON.parse(text).id)
  }
  return { caller, key, ids }
}

const kilobytes = (bytes: number) => `${Math.round(bytes / 1024)} KB`

function printTables(courses: Course[]): string {
  const head = ['table', 'rows', 'max. dead rows', 'size halfway', 'max. size', '']
  const rows = courses.map(one => [
    one.name,
    one.live,
    one.mostDead,
    kilobytes(one.half),
    kilobytes(one.most),
    isFlat(one) ? 'flat' : 'grows',
  ])
  return printTable(head, rows)
}

/** Evaluates the second half only, because the process grows to its normal size in the first. */
function printHolds(holds: Hold[], later: Hold[]): string {
  const row = (name: string, reading: Reading) => {
    const [least, most] = rangeOf(later, reading)
    const tenths = Array.from({ length: 10 }, (_, n) => holds[Math.floor((n * holds.length) / 10)]![reading])
    return [
      name,
      ...[least, most, slopeOf(later, reading)].map(n => round(n, 1)),
      tenths.map(n => round(n, 0)).join(' '),
    ]
  }
  return printTable(
    ['second half', 'minimum', 'maximum', 'growth per hour', 'at each tenth of the run'],
    [row('server, MB', 'megabytes'), row('Postgres, MB', 'postgres'), row('open descriptors', 'open')],
  )
}

/** The growth per hour above which it counts as a leak. */
const most = { megabytes: 1, open: 1 }

function report(rounds: Round[], done: number, minutes: number): number {
  const courses = follow(rounds.map(({ tables }) => tables))
  const holds = rounds.map(({ hold }) => hold)
  const later = holds.slice(Math.floor(holds.length / 2))
  const more = (reading: Reading) => round(slopeOf(later, reading), 1)
  console.log(`${done} calls in ${minutes} minutes\n\n${printTables(courses)}\n\n${printHolds(holds, later)}`)
  const grown = courses.filter(one => !isFlat(one)).map(({ name }) => name)
  const dead = courses.map(({ name, live, mostDead }) => `${name} ${mostDead} of ${live + mostDead}`)
  const isFlatAll = !grown.length && more('megabytes') <= most.megabytes && more('open') <= most.open
  record('A11', {
    measured: `${minutes} min, ${done} calls: memory ${more('megabytes')} MB per hour, Postgres ${more('postgres')} MB per hour; open descriptors ${rangeOf(later, 'open').join(' to ')}; ${grown.length ? `${grown.join(', ')} grew` : 'hot tables flat'}; dead rows at most ${dead.join(', ')}`,
    isKept: isFlatAll && minutes >= 360,
    note: minutes >= 360 ? '' : `${minutes} minutes instead of 6 hours`,
  })
  return isFlatAll ? 0 : 1
}

/** Repeatedly changes the same tickets, and checks that the process and the most written tables do not grow. */
export async function churn(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const dataDir = mkdtempSync(join(tmpdir(), 'deskbell-churn-'))
  const receiver = await openReceiver()
  const server = await startServer({ DATA_DIR: dataDir, REQUEST_LOG: 'on' })
  const { db, close } = await openDataDir(dataDir, 2)
  try {
    const { caller, key, ids } = await furnish(db, server.url, receiver.url, Number(values.tickets))
    const reader = openCaller(server.url, key)
    const until = performance.now() + Number(values.minutes) * 60_000
    const [done, rounds] = await Promise.all([
      work(caller, ids, Number(values.rate), until),
      watch(db, server, until),
      listen(reader, until),
      send(server.url, key, until),
    ])
    caller.close()
    reader.close()
    return report(rounds, done, round(Number(values.minutes)))
  } finally {
    await close()
    await server.stop()
    receiver.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
