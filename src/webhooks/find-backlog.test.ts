import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createPlace } from '../../test/database.ts'
import { behindOf, listTargets } from '../../test/targets.ts'
import { createVault } from '../core/crypto.ts'
import { connectApart, type Sql } from '../core/db.ts'
import { newId } from '../core/ids.ts'
import { claimDue } from './claim.ts'
import { createBacklogFinder, startPolling } from './find-backlog.ts'
import { changeWebhook, deleteWebhook, registerWebhook } from './webhooks.ts'

const { db, projectId, drop } = await createPlace()
const beside = connectApart(db, { max: 1 })
after(async () => {
  await beside.end()
  await drop()
})
beforeEach(() => db`delete from webhook_queue`)

const register = async () =>
  (await registerWebhook(db, createVault(Buffer.alloc(32)), projectId, { url: 'http://x' })).id

/** Checks every subscription, and returns those with due deliveries. */
const lookingWith = (look: ReturnType<typeof createBacklogFinder>) => async () =>
  behindOf(await look(await listTargets(db)))

const enqueue = (webhookId: string, age: string, count = 1) => db`
  insert into webhook_queue (project_id, webhook_id, id, event_id, event_type, run_at, created_at)
  select ${projectId}, ${webhookId}, uuid_v7(), uuid_v7(), 'ticket.closed', now() - ${age}::text::interval, now()
  from generate_series(1, ${count}::int)`

const room = { total: 256, project: 64, cap: 8, targets: [], projects: [] }
const claimOf = (sql: Sql, lease = 15_000) =>
  claimDue(sql, { id: newId(), capacity: room, lease, projects: [projectId], behind: [], latest: null })

test('a look finds who has something due that nobody has in hand', async () => {
  const [behind, later, off, gone, held] = await Promise.all(Array.from({ length: 5 }, register))
  for (const id of [behind, off, gone]) await enqueue(id!, '1 hour')
  await enqueue(later!, '-1 minute')
  await enqueue(held!, '0 s')
  await claimOf(db)
  await changeWebhook(db, projectId, off!, { is_active: false }, null)
  await deleteWebhook(db, projectId, gone!)
  const found = await lookingWith(createBacklogFinder(db))()
  assert.deepEqual(
    found.map(one => one.webhook_id),
    [behind],
  )
})

test('the next look finds what was held, what fell due, and what was written late', async () => {
  const [held, later, late] = await Promise.all(Array.from({ length: 3 }, register))
  const look = lookingWith(createBacklogFinder(db))
  await enqueue(held!, '0 s')
  await enqueue(later!, '-0.05 s')
  await claimOf(db, 0)
  await look()
  await enqueue(late!, '20 s')
  await db`select pg_sleep(0.06)`
  const found = await look()
  assert.deepEqual(found.map(one => one.webhook_id).sort(), [held, later, late].sort())
})

test('what was written before a claim looks back is found by a look, and claimed from there', async () => {
  const id = await register()
  await enqueue(id, '1 minute', 3)
  assert.equal((await claimOf(db)).length, 0)
  const behind = await lookingWith(createBacklogFinder(db))()
  const rows = await claimDue(db, {
    id: newId(),
    capacity: room,
    lease: 15_000,
    projects: [],
    behind,
    latest: null,
  })
  assert.equal(rows.length, 3)
})

test('once in a minute a look begins at the beginning, and finds what was overlooked', async () => {
  let now = 0
  const look = lookingWith(createBacklogFinder(db, () => now))
  const id = await register()
  await look()
  await enqueue(id, '1 hour')
  const found = []
  for (now of [1, 60_000, 60_001]) found.push((await look()).map(one => one.webhook_id))
  assert.deepEqual(found, [[], [], [id]])
  await db`delete from webhook_queue`
  await look()
  await enqueue(id, '1 hour')
  const again = []
  for (now of [120_001, 120_002]) again.push((await look()).length)
  assert.deepEqual(again, [0, 1])
})

test('a look from the beginning that fails is not made again with each one after it', async () => {
  let now = 0
  const look = lookingWith(createBacklogFinder(db, () => now))
  const id = await register()
  await look()
  await enqueue(id, '1 hour')
  now = 60_001
  await db`alter table webhook_queue rename to gone`
  await assert.rejects(look(), /webhook_queue/)
  await db`alter table gone rename to webhook_queue`
  assert.deepEqual(await look(), [])
  now = 120_002
  assert.equal((await look()).length, 1)
})

test('a look rests three times as long as it took, also when it is hurried, and then looks at once', async () => {
  const [begun, ended]: number[][] = [[], []]
  const done = Promise.withResolvers<void>()
  const looking = startPolling(async () => {
    begun!.push(performance.now())
    if (begun!.length === 3) done.resolve()
    else await pause(100)
    ended!.push(performance.now())
    if (begun!.length < 3) looking.pollNow()
    return 250
  })
  await done.promise
  await looking.stop()
  for (const at of [0, 1]) {
    const [took, rested] = [ended![at]! - begun![at]!, begun![at + 1]! - ended![at]!]
    assert.ok(rested >= 3 * took - 2, `${rested} ms after ${took} ms`)
  }
  assert.equal(begun!.length, 3)
})

test('nobody looks again before the time that the last look said, unless hurried', async () => {
  const begun: number[] = []
  const done = Promise.withResolvers<void>()
  const looking = startPolling(async () => {
    begun.push(performance.now())
    if (begun.length === 42) done.resolve()
    if (begun.length > 1) looking.pollNow()
    return 250
  })
  await done.promise
  await looking.stop()
  const [unhurried, hurried] = [begun[1]! - begun[0]!, begun[41]! - begun[1]!]
  assert.ok(unhurried >= 248, `${unhurried} ms`)
  assert.ok(hurried < 5_000, `forty looks took ${hurried} ms`)
  assert.equal(begun.length, 42)
})
