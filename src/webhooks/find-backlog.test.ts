import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createPlace } from '../../test/database.ts'
import { behindOf, listTargets } from '../../test/targets.ts'
import { createVault } from '../core/crypto.ts'
import { connectApart, type Sql } from '../core/db/db.ts'
import { newId } from '../core/ids.ts'
import { createBacklogFinder, startPolling } from './find-backlog.ts'
import { claimDue } from './queue.ts'
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

const capacity = { total: 256, project: 64, cap: 8, targets: [], projects: [] }
const claimOf = (sql: Sql, lease = 15_000) =>
  claimDue(sql, { id: newId(), capacity, lease, projects: [projectId], backlogged: [] })

test('a check finds subscriptions with due deliveries that no process holds', async () => {
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

test('the next check finds deliveries that were held, became due, or were written late', async () => {
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

test('a check finds deliveries that are older than a claim reads, and the next claim takes them', async () => {
  const id = await register()
  await enqueue(id, '1 minute', 3)
  assert.equal((await claimOf(db)).length, 0)
  const backlogged = await lookingWith(createBacklogFinder(db))()
  const rows = await claimDue(db, {
    id: newId(),
    capacity,
    lease: 15_000,
    projects: [],
    backlogged,
  })
  assert.equal(rows.length, 3)
})

test('once a minute a check reads from the beginning and finds what was missed', async () => {
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

test('a failed check from the beginning is not repeated with each following check', async () => {
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

test('a slow check is followed by a pause three times as long, even after pollNow, and then by another check', async () => {
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

test('the next check comes at the time that the last one returned, unless pollNow is called', async () => {
  const begun: number[] = []
  const done = Promise.withResolvers<void>()
  const looking = startPolling(async () => {
    begun.push(performance.now())
    if (begun.length === 42) done.resolve()
    if (begun.length > 1) looking.pollNow()
    return begun.length === 1 ? 250 : 60_000
  })
  await done.promise
  await looking.stop()
  const [unhurried, hurried] = [begun[1]! - begun[0]!, begun[41]! - begun[1]!]
  assert.ok(unhurried >= 248, `${unhurried} ms`)
  assert.ok(hurried < 60_000, `forty looks took ${hurried} ms`)
  assert.equal(begun.length, 42)
})
