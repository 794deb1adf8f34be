import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { root } from '../../src/core/config/config.ts'
import type { Db } from '../../src/core/db/db.ts'
import { type Caller, openCaller } from '../calls.ts'
import { openDataDir } from '../data.ts'
import { percentile, printTable, round } from '../figures.ts'
import { type Place, preparePlace } from '../growth/data.ts'
import { startServer } from '../server.ts'

/** Reindexes a large installation for this version's search while it is in use. */

const options = {
  dir: { type: 'string', default: 'data/bench' },
  tickets: { type: 'string', default: '1000000' },
  messages: { type: 'string', default: '5000000' },
  rate: { type: 'string', default: '20' },
  minutes: { type: 'string', default: '240' },
} as const

/** Words of the seed, which must be found during the reindexing. */
const words = ['quasar', 'lantern', 'harbor']

interface Call {
  kind: string
  ms: number
  isFine: boolean
}

const makeCalls = (
  caller: Caller,
  ticket: string,
): Record<string, () => Promise<{ status: number; ms: number }>> => ({
  post: () =>
    caller.call('POST', `/tickets/${ticket}/messages`, { content: `Where is my parcel ${Math.random()}?` }),
  read: () => caller.get(`/tickets/${ticket}`),
  list: () => caller.get('/tickets?status=open'),
  contacts: () => caller.get('/contacts?q=anna'),
  ...Object.fromEntries(words.map(word => [`search ${word}`, () => caller.get(`/tickets?q=${word}`)])),
})

/** Sends all kinds of calls in turn at a fixed rate until stopped. */
function startCalls(caller: Caller, ticket: string, rate: number) {
  const calls: Call[] = []
  const kinds = Object.entries(makeCalls(caller, ticket))
  const running: Promise<unknown>[] = []
  let n = 0
  const timer = setInterval(() => {
    const [kind, call] = kinds[n++ % kinds.length]!
    const note = (ms: number, isFine: boolean) => void calls.push({ kind, ms, isFine })
    running.push(
      call().then(
        ({ status, ms }) => note(ms, status < 300),
        () => note(Number.NaN, false),
      ),
    )
  }, 1_000 / rate)
  return {
    calls,
    async stop() {
      clearInterval(timer)
      await Promise.all(running)
    },
  }
}

const tables = ['tickets', 'contacts', 'messages']

async function countLeft(db: Db): Promise<number> {
  const counts = await Promise.all(
    tables.map(async table => {
      const [row] = await db<{ count: number }[]>`
        select count(*)::int as count from ${db(table)} where search_version < 2`
      return row!.count
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

const countFound = (caller: Caller) =>
  Promise.all(words.map(async word => (await caller.read(`/tickets?q=${word}`)).total as number))

async function waitForEnd(db: Db, minutes: number): Promise<boolean> {
  const end = performance.now() + minutes * 60_000
  for (let left = await countLeft(db); performance.now() < end; left = await countLeft(db)) {
    if (left === 0) return true
    process.stderr.write(`${left} rows are left\n`)
    await pause(Math.min(20_000, 100 + left))
  }
  return false
}

function report(calls: Call[], seconds: number, rows: number): number {
  const kinds = [...new Set(calls.map(({ kind }) => kind))].sort()
  const head = ['call', 'count', 'failed', 'p50, ms', 'p99, ms']
  const lines = kinds.map(kind => {
    const own = calls.filter(one => one.kind === kind)
    const times = own.filter(({ isFine }) => isFine).map(({ ms }) => ms)
    const failed = own.length - times.length
    return [kind, own.length, failed, round(percentile(times, 0.5)), round(percentile(times, 0.99))]
  })
  console.log(printTable(head, lines))
  const failed = calls.filter(({ isFine }) => !isFine).length
  console.log(
    `\n${rows} rows were indexed in ${Math.round(seconds)} s; ${failed} of ${calls.length} calls failed`,
  )
  return failed
}

async function rehearse({ dataDir, key, ids }: Place, rate: number, minutes: number): Promise<number> {
  const begun = performance.now()
  const server = await startServer({ DATA_DIR: dataDir })
  const caller = openCaller(server.url, key)
  const { db, close } = await openDataDir(dataDir, 2)
  try {
    const rows = await countLeft(db)
    const before = await countFound(caller)
    const running = startCalls(caller, ids.ticket, rate)
    const isDone = await waitForEnd(db, minutes)
    await running.stop()
    const failed = report(running.calls, (performance.now() - begun) / 1_000, rows)
    const after = await countFound(caller)
    const isSame = after.every((count, n) => count >= before[n]!)
    if (!isDone) console.log('The reindexing did not finish in time')
    if (!isSame) console.log(`Tickets with ${words}: ${before} before, ${after} after`)
    return isDone && isSame && failed === 0 ? 0 : 1
  } finally {
    await close()
    caller.close()
    await server.stop()
  }
}

export async function upgrade(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const sizes = [Number(values.tickets), Number(values.messages)] as const
  const place = await preparePlace(resolve(root, values.dir), ...sizes, false)
  return rehearse(place, Number(values.rate), Number(values.minutes))
}
