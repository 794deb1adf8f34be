import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { requireQuota } from '../../src/core/async/quota.ts'
import { connect, type Db } from '../../src/core/db/db.ts'
import { openFileContext } from '../file-context.ts'
import { startForwarder } from '../forwarder.ts'
import { needs } from '../needs.ts'
import { type Pair, pairNeeds, startPair, urlOf } from '../postgres-pair.ts'
import { call, startWork, subjectsIn } from '../switchover-work.ts'
import { until } from '../until.ts'
import { keyOf, makeFolder, type Program, startServer, statusOf, stopServer } from './program.ts'

/**
 * Seconds for which the address leads to the old primary, which is a standby by then. A value of 10 shows the
 * same.
 */
const lateness = Number(process.env.DESKBELL_SWITCHOVER_LATENESS ?? 3)

/** Milliseconds between two writes of one writer. */
const interval = 100

interface Write {
  name: string
  isDone: boolean
  /** In milliseconds of `performance.now()`. */
  begun: number
}

interface Writer {
  writes: Write[]
  stop(): Promise<void>
}

/** Writes one row after the other; `write` returns whether it was acknowledged. */
function startWriter(prefix: string, write: (name: string) => Promise<boolean>): Writer {
  const writes: Write[] = []
  let isOver = false
  const work = async () => {
    while (!isOver) {
      const begun = performance.now()
      const name = `${prefix}${writes.length}`
      writes.push({ name, isDone: await write(name), begun })
      await sleep(interval)
    }
  }
  const working = work()
  return {
    writes,
    async stop() {
      isOver = true
      await working
    },
  }
}

const postTicket = (key: string, name: string): Promise<boolean> =>
  call(server, key, '/tickets', { subject: name, contact: { email: `${name}@x.test` } }).then(
    Boolean,
    () => false,
  )

const insert = (db: Db, name: string): Promise<boolean> =>
  db`insert into written values (${name})`.then(
    () => true,
    () => false,
  )

const context = openFileContext()
let pair: Pair
let server: Program
/** One writer uses the server through the address that moves, the other a pool with both hosts. */
let byAddress: Writer
let byHosts: Writer
let work: Awaited<ReturnType<typeof startWork>>
/** A message that falls due while no primary can be reached. */
let later: unknown
/** A session that holds a lock when the old primary stops. */
let holder: Promise<unknown>
let promotedAt = 0
let movedAt = 0
let readiness: number | null

const { skip } = needs(pairNeeds)

const lock = { of: ['switchover'], max: 1, field: 'name' }

/** Holds the lock until its session ends, or the statement times out after 9 s. */
const holdLock = (db: Db) =>
  db.begin(tx =>
    requireQuota(tx, lock, async () => {
      await tx`select pg_sleep(60)`
      return 0
    }),
  )

const isLockHeld = async (db: Db): Promise<boolean> =>
  (await db`select from pg_locks where locktype = 'advisory' and granted`).length > 0

before(async () => {
  if (skip) return
  pair = await startPair(context)
  const { primary, standby } = pair
  const forwarder = await startForwarder({ port: primary.port })
  context.after(() => forwarder.close())
  const hosts = connect({ url: urlOf(primary.port, standby.port) }, { max: 2 })
  context.after(() => hosts.end())
  await hosts`create table written (name text)`
  const settings = {
    DATA_DIR: makeFolder(context),
    LOG_LEVEL: 'silent',
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    DATABASE_URL: urlOf(forwarder.port),
  }
  server = await startServer(context, settings)
  context.after(() => stopServer(server))
  const key = keyOf(server)
  work = await startWork(server, key, settings.DATABASE_URL)
  context.after(() => work.stop())
  byAddress = startWriter('a', name => postTicket(key, name))
  byHosts = startWriter('b', name => insert(hosts, name))
  const writers = [byAddress, byHosts]
  await until(() => writers.every(({ writes }) => writes.filter(one => one.isDone).length > 5))
  holder = holdLock(work.db).catch(error => error)
  await until(() => isLockHeld(primary.db))
  later = (await work.postLater((lateness * 1_000) / 2))!.id
  await pair.switchOver()
  promotedAt = performance.now()
  await sleep(lateness * 1_000)
  readiness = await statusOf(`${server.url}/readyz`)
  forwarder.move({ port: standby.port })
  movedAt = performance.now()
  await until(() => writers.every(({ writes }) => writes.at(-1)!.begun > movedAt + 3_000))
  await Promise.all(writers.map(writer => writer.stop()))
})

/** Checks how many writes failed between this moment and the next successful one. */
function assertBack({ writes }: Writer, since: number): void {
  const failed = writes.filter(({ begun }) => begun > since).findIndex(({ isDone }) => isDone)
  assert.ok(failed >= 0 && failed <= 2_000 / interval, `${failed} writes failed`)
}

test('writes again within 2 seconds after the address of the database moved to the new primary', {
  skip,
}, () => {
  assertBack(byAddress, movedAt)
  const between = byAddress.writes.filter(({ begun }) => begun > promotedAt && begun < movedAt)
  assert.ok(between.length > 1)
})

test('writes again within 2 seconds after the switchover when DATABASE_URL names both hosts', {
  skip,
}, () => {
  assertBack(byHosts, promotedAt)
})

test('after a switchover every write that was acknowledged is on the new primary', { skip }, async () => {
  const rows = await pair.standby.db<{ name: string }[]>`
    select subject as name from tickets union all select name from written`
  const kept = new Set(rows.map(({ name }) => name))
  const acknowledged = [byAddress, byHosts].flatMap(({ writes }) => writes.filter(one => one.isDone))
  assert.ok(acknowledged.length > 20)
  assert.deepEqual(
    acknowledged.filter(({ name }) => !kept.has(name)),
    [],
  )
})

test('is not ready as long as the database it reaches is a standby, and ready again after that', {
  skip,
}, async () => {
  assert.equal(readiness, 503)
  await until(async () => (await statusOf(`${server.url}/readyz`)) === 200)
})

/** Tickets whose creation was acknowledged, before the switchover and after. */
const acknowledgedTickets = () => byAddress.writes.filter(({ isDone }) => isDone)

test('a long poll continues after a switchover and receives every ticket', { skip }, async () => {
  const tickets = acknowledgedTickets()
  await until(() => tickets.every(({ name }) => work.seen.has(name)))
  const first = tickets.find(({ begun }) => begun > movedAt)!
  const seenAt = work.seen.get(first.name)!
  const between = byAddress.writes.filter(({ begun }) => begun > first.begun && begun < seenAt)
  assert.ok(between.length <= 2_000 / interval, `${between.length} writes began before it was received`)
})

test('webhooks for every ticket are delivered after a switchover', { skip }, async () => {
  await until(() => acknowledgedTickets().every(({ name }) => subjectsIn(work.receiver).has(name)))
})

test("another process receives this one's notifications again after a switchover", { skip }, async () => {
  await until(() => work.heard.some(at => at > movedAt))
})

test('work that fell due during a switchover is done afterwards', { skip }, async () => {
  await until(async () => {
    const message = (await work.readMessage(later)) as { delivery: { status: string } } | null
    return message?.delivery.status === 'sent'
  })
})

test('a lock held by a session of the old primary is free on the new one', { skip }, async () => {
  assert.ok((await holder) instanceof Error)
  await work.db.begin(tx => requireQuota(tx, lock, async () => 0))
})
