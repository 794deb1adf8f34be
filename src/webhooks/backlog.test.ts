import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { createPlace } from '../../test/database.ts'
import { until } from '../../test/until.ts'
import { createVault } from '../core/crypto.ts'
import type { Sql } from '../core/db/db.ts'
import { newId } from '../core/ids.ts'
import { sampleData } from '../events/samples.ts'
import { transact } from '../events/transaction.ts'
import { createProject } from '../projects/projects.ts'
import { createBacklog } from './backlog.ts'
import { noteMissingDeliveries } from './next-due.ts'
import { type ClaimedDelivery, claimDue, releaseClaims } from './queue.ts'
import { recordResults } from './record.ts'
import { deleteWebhook, registerWebhook } from './webhooks.ts'

const { db, projectId, drop } = await createPlace()
after(drop)
beforeEach(async () => {
  for (const table of ['webhook_queue', 'webhooks', 'due_work']) await db`delete from ${db(table)}`
})

const register = async (project = projectId, sql: Sql = db) =>
  (await registerWebhook(sql, createVault(Buffer.alloc(32)), project, { url: 'http://x' })).id

const emit = (project = projectId) =>
  transact(db, project, async tx =>
    tx.emit({ type: 'ticket.closed', data: sampleData('ticket.closed') } as never),
  )

/** Checks until all quiet subscriptions are postponed. Returns those with due deliveries, and the wait until the next check. */
async function lookTwice() {
  let now = 0
  const backlog = createBacklog(db, () => now)
  const { backlogged } = await backlog.look()
  now = 3_000
  await backlog.look()
  const { wait } = await backlog.look()
  return { backlogged: backlogged.map(one => one.webhook_id), wait }
}

const capacity = { total: 256, project: 64, cap: 8, targets: [], projects: [] }
const claim = async (): Promise<ClaimedDelivery[]> => [
  ...(await claimDue(db, {
    id: newId(),
    capacity,
    lease: 15_000,
    projects: [projectId],
    backlogged: [],
  })),
]

const readDue = () => db<{ subject_id: string; seconds: number }[]>`
  select subject_id, extract(epoch from due_at - now())::float8 as seconds from due_work where kind = 'deliveries'`

test('finds an event whose notification was lost, because its row was committed with it', async () => {
  const id = await register()
  await emit()
  assert.deepEqual((await lookTwice()).backlogged, [id])
  assert.ok((await readDue())[0]!.seconds <= 0)
})

test('postpones a target without waiting deliveries after two quiet seconds', async () => {
  await register()
  await emit()
  const claimed = await claim()
  const outcome = { status: 'succeeded' as const, entry: null, pause: null }
  await recordResults(
    db,
    claimed.map(({ project_id, webhook_id, id, claim_id, place }) => ({
      ...{ project_id, webhook_id, id, claim_id, place },
      ...outcome,
    })),
  )
  let now = 0
  const backlog = createBacklog(db, () => now)
  for (now of [0, 1_900]) await backlog.look()
  assert.equal((await readDue()).length, 1)
  now = 2_000
  await backlog.look()
  assert.equal((await readDue()).length, 0)
  assert.ok((await backlog.look()).wait >= 1_000)
})

test('deliveries held by a process that died are due when the lease ends, or at once when released', async () => {
  await register()
  await emit()
  const [claimed] = await claim()
  assert.deepEqual((await lookTwice()).backlogged, [])
  const [row] = await db<{ seconds: number }[]>`
    select extract(epoch from d.due_at - q.lease_until)::float8 as seconds
    from due_work d join webhook_queue q on q.webhook_id = d.subject_id where d.kind = 'deliveries'`
  assert.ok(Math.abs(row!.seconds) < 1, `${row!.seconds}`)
  await releaseClaims(db, [claimed!.claim_id])
  assert.equal((await lookTwice()).backlogged.length, 1)
})

test('a retry is due after its pause, and the next check comes in time', async () => {
  await register()
  await emit()
  const [{ project_id, webhook_id, id, claim_id, place }] = (await claim()) as [ClaimedDelivery]
  const entry = { attempt: 1 } as never
  await recordResults(db, [
    { project_id, webhook_id, id, claim_id, place, status: null, entry, pause: 30_000 },
  ])
  assert.deepEqual((await lookTwice()).backlogged, [])
  const [row] = await readDue()
  assert.ok(row!.seconds > 0 && row!.seconds <= 30, `${row!.seconds}`)
  // Repeated because the machine may pause for longer than that between the two statements.
  await until(async () => {
    await db`update due_work set due_at = now() + interval '950 ms'`
    const { wait } = await createBacklog(db).look()
    assert.ok(wait <= 960, `${wait}`)
    return wait > 300
  })
})

test('finds deliveries queued by an older version within a minute, and records nothing else', async () => {
  const id = await register()
  await emit()
  await db`delete from due_work`
  assert.equal(await noteMissingDeliveries(db), 1)
  assert.equal(await noteMissingDeliveries(db), 0)
  assert.deepEqual((await lookTwice()).backlogged, [id])
})

test('a deleted subscription is due until its deliveries are deleted', async () => {
  const id = await register()
  await emit()
  await deleteWebhook(db, projectId, id)
  await db`
    insert into webhook_deliveries (project_id, webhook_id, id, event_id, event_type, status, attempts, created_at, finished_at)
    values (${projectId}, ${id}, uuid_v7(), uuid_v7(), 'ticket.closed', 'succeeded', 1, now(), now())`
  await lookTwice()
  assert.equal((await readDue()).length, 1)
  await db`delete from webhook_deliveries`
  await lookTwice()
  assert.equal((await readDue()).length, 0)
})

test('with concurrent events and postponing, all waiting deliveries have a row', async () => {
  await register()
  const other = (await createProject(db, { name: 'Rival' })).id
  await register(other)
  let isDone = false
  const look = async () => {
    let now = 0
    const backlog = createBacklog(db, () => (now += 5_000))
    while (!isDone) await backlog.look()
  }
  const send = async () => {
    while (!isDone) {
      await db`delete from webhook_queue where run_at < now() - interval '1 millisecond' and random() < 0.9`
    }
  }
  const others = [look(), look(), send()]
  await Promise.all(
    [projectId, other, projectId, other].map(async project => {
      for (let n = 0; n < 50; n++) await emit(project)
    }),
  )
  isDone = true
  await Promise.all(others)
  assert.equal(await noteMissingDeliveries(db), 0)
})

/** How many rows of subscriptions have been read so far, by index or by scan. */
async function countRead(sql: Sql): Promise<number> {
  await sql`select pg_stat_force_next_flush()`
  const [row] = await sql<{ read: number }[]>`
    select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_user_tables where relname = 'webhooks'`
  return row!.read
}

test('a check reads no rows of subscriptions without waiting deliveries', async t => {
  // A single connection, because others report what they have read up to ten seconds later.
  const own = await createPlace({ max: 1 })
  t.after(own.drop)
  await own.db`
    insert into webhooks (project_id, id, url, events, description, secret)
    select ${own.projectId}, uuid_v7(), 'http://x', '{ticket.rated}', '', '' from generate_series(1, 100000)`
  const id = await register(own.projectId, own.db)
  await own.db`analyze webhooks`
  const look = createBacklog(own.db).look
  const before = await countRead(own.db)
  assert.deepEqual((await look()).backlogged, [])
  assert.equal((await countRead(own.db)) - before, 0)
  await own.db`
    insert into webhook_queue (project_id, webhook_id, id, event_id, event_type, run_at, created_at)
    values (${own.projectId}, ${id}, uuid_v7(), uuid_v7(), 'ticket.closed', now(), now())`
  await noteMissingDeliveries(own.db)
  const between = await countRead(own.db)
  assert.equal((await look()).backlogged.length, 1)
  const read = (await countRead(own.db)) - between
  assert.ok(read < 10, `${read}`)
})
