import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { createDatabase, type TestDatabase } from '../../test/database.ts'
import { behindOf, listTargets } from '../../test/targets.ts'
import { createVault } from '../core/crypto.ts'
import type { Db, Sql } from '../core/db/db.ts'
import { newId } from '../core/ids.ts'
import { createProject } from '../projects/projects.ts'
import { createBacklogFinder } from './find-backlog.ts'
import { claimDue } from './queue.ts'
import type { FreeCapacity } from './target-concurrency.ts'
import { changeWebhook, deleteWebhook, registerWebhook } from './webhooks.ts'

let own: TestDatabase
let db: Db
let projectId: string
before(async () => {
  own = await createDatabase()
  db = own.db
})
after(() => own.drop())
beforeEach(async () => {
  await db`delete from webhook_queue`
  projectId = (await createProject(db, { name: 'Acme' })).id
})

const free: FreeCapacity = { total: 256, project: 64, cap: 8, targets: [], projects: [] }
const vault = createVault(Buffer.alloc(32))
const register = async (project = projectId) =>
  (await registerWebhook(db, vault, project, { url: 'http://x' })).id

/** Creates deliveries that have been due for `age` seconds, oldest first. */
async function enqueue(webhookId: string, count: number, age = 10, project = projectId): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    insert into webhook_queue (project_id, webhook_id, id, event_id, event_type, run_at, created_at)
    select ${project}, ${webhookId}, uuid_v7(), uuid_v7(), 'ticket.closed',
      now() - ${age}::int * interval '1 second' + n * interval '1 ms', now()
    from generate_series(1, ${count}::int) n returning id`
  return rows.map(row => row.id)
}

/** Claims what a full check finds. */
const claimWith = async (sql: Sql, capacity: FreeCapacity) =>
  claimDue(sql, {
    id: newId(),
    capacity,
    lease: 15_000,
    projects: [],
    backlogged: behindOf(await createBacklogFinder(sql)(await listTargets(sql))),
  })
const claim = async (capacity: Partial<FreeCapacity> = {}) => [
  ...(await claimWith(db, { ...free, ...capacity })),
]
const countBy = (rows: { webhook_id: string }[], id: string) =>
  rows.filter(row => row.webhook_id === id).length

test('a claim takes the oldest eight deliveries of a target, and the next claim the next ones', async () => {
  const ids = await enqueue(await register(), 12)
  assert.deepEqual((await claim()).map(row => row.id).sort(), ids.slice(0, 8).sort())
  assert.deepEqual((await claim()).map(row => row.id).sort(), ids.slice(8).sort())
  assert.equal((await claim()).length, 0)
})

test('does not claim what is not due yet', async () => {
  await enqueue(await register(), 3, -60)
  assert.equal((await claim()).length, 0)
})

test('a target with deliveries in progress gets only its remaining slots', async () => {
  const id = await register()
  await enqueue(id, 12)
  assert.equal((await claim({ targets: [{ id, inFlight: 5, isProbing: false }] })).length, 3)
  assert.equal((await claim({ targets: [{ id, inFlight: 8, isProbing: false }] })).length, 0)
})

test('a probing target gets one of its five oldest deliveries', async () => {
  const id = await register()
  await enqueue(id, 12)
  const rows = await db<{ id: string }[]>`
    update webhook_queue set run_at = now() - interval '1 ms'
    where id in (select id from webhook_queue order by id limit 5) returning id`
  const claimed = await claim({ targets: [{ id, inFlight: 0, isProbing: true }] })
  assert.equal(claimed.length, 1)
  assert.ok(rows.some(row => row.id === claimed[0]!.id))
  assert.equal((await claim({ targets: [{ id, inFlight: 1, isProbing: true }] })).length, 0)
})

test('a project gets only its free slots, shared among its targets', async () => {
  const targets = await Promise.all(Array.from({ length: 20 }, () => register()))
  for (const id of targets) await enqueue(id, 8)
  const rows = await claim()
  assert.equal(rows.length, 64)
  for (const id of targets) assert.ok(countBy(rows, id) >= 3)
  assert.equal((await claim({ projects: [{ id: projectId, freeSlots: 2, cap: 1 }] })).length, 2)
})

test('the free slots of the process are shared among all targets', async () => {
  const [first, second] = [await register(), await register()]
  await enqueue(first, 100, 3_600)
  await enqueue(second, 3)
  const rows = await claim({ total: 4 })
  assert.deepEqual([countBy(rows, first), countBy(rows, second)], [2, 2])
})

test('a busy project takes nothing from another', async () => {
  const other = (await createProject(db, { name: 'Other' })).id
  await enqueue(await register(), 8)
  const [expected] = await enqueue(await register(other), 1, 1, other)
  const rows = await claim({ projects: [{ id: projectId, freeSlots: 0, cap: 1 }] })
  assert.deepEqual(
    rows.map(row => row.id),
    [expected],
  )
})

test('two concurrent claims never take the same delivery', async () => {
  for (let turn = 0; turn < 10; turn++) await enqueue(await register(), 8)
  const rows = (await Promise.all([claim(), claim(), claim(), claim()])).flat()
  assert.equal(new Set(rows.map(row => row.id)).size, rows.length)
})

test('claims nothing for an inactive or deleted subscription', async () => {
  const [off, gone] = [await register(), await register()]
  await enqueue(off, 3)
  await enqueue(gone, 3)
  await changeWebhook(db, projectId, off, { is_active: false }, null)
  await deleteWebhook(db, projectId, gone)
  await enqueue(gone, 3)
  assert.equal((await claim()).length, 0)
})

test('does not claim what was due before the subscription was enabled again', async () => {
  const id = await register()
  await enqueue(id, 3)
  await changeWebhook(db, projectId, id, { is_active: false }, null)
  await changeWebhook(db, projectId, id, { is_active: true }, null)
  const [later] = await enqueue(id, 1, 0)
  await db`update webhook_queue set run_at = clock_timestamp() where id = ${later!}`
  assert.deepEqual(
    (await claim()).map(row => row.id),
    [later],
  )
})

test('enabling an enabled subscription cancels nothing', async () => {
  const id = await register()
  await enqueue(id, 3)
  await changeWebhook(db, projectId, id, { is_active: true }, null)
  assert.equal((await claim()).length, 3)
})

test('a claim commits asynchronously, and later transactions on the connection do not', async () => {
  await enqueue(await register(), 1)
  const read = async (sql: Sql) =>
    (await sql<{ mode: string }[]>`select current_setting('synchronous_commit') as mode`)[0]!.mode
  const connection = await db.reserve()
  try {
    await connection`set synchronous_commit to on`
    await connection`begin`
    await claimWith(connection, free)
    assert.equal(await read(connection), 'off')
    await connection`commit`
    assert.equal(await read(connection), 'on')
  } finally {
    await connection`reset synchronous_commit`
    connection.release()
  }
})
