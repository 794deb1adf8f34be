import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { createPlace } from '../../test/database.ts'
import { createVault } from '../core/crypto.ts'
import { connectApart } from '../core/db/db.ts'
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
const beside = connectApart(db, { max: 1 })
after(async () => {
  await beside.end()
  await drop()
})
beforeEach(async () => {
  for (const table of ['webhook_queue', 'webhooks', 'due_work']) await db`delete from ${db(table)}`
})

const register = async (project = projectId) =>
  (await registerWebhook(db, createVault(Buffer.alloc(32)), project, { url: 'http://x' })).id

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
  const [row] = await readDue()
  assert.ok(row!.seconds > 10 && row!.seconds <= 15, `${row!.seconds}`)
  await releaseClaims(db, [claimed!.claim_id])
  assert.equal((await lookTwice()).backlogged.length, 1)
})

test('a retry is due after its pause, and the next check comes in time', async () => {
  await register()
  await emit()
  const [{ project_id, webhook_id, id, claim_id, place }] = (await claim()) as [ClaimedDelivery]
  const entry = { attempt: 1 } as never
  await recordResults(db, [{ project_id, webhook_id, id, claim_id, place, status: null, entry, pause: 950 }])
  const { backlogged, wait } = await lookTwice()
  assert.deepEqual(backlogged, [])
  assert.ok(wait > 100 && wait <= 960, `${wait}`)
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
async function countRead(): Promise<number> {
  await beside`select pg_stat_force_next_flush()`
  const [row] = await beside<{ read: number }[]>`
    select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_user_tables where relname = 'webhooks'`
  return row!.read
}

test('a check reads no rows of subscriptions without waiting deliveries', async () => {
  await db`
    insert into webhooks (project_id, id, url, events, description, secret)
    select ${projectId}, uuid_v7(), 'http://x', '{ticket.rated}', '', '' from generate_series(1, 100000)`
  const id = await register()
  await db`analyze webhooks`
  const look = createBacklog(beside).look
  const before = await countRead()
  assert.deepEqual((await look()).backlogged, [])
  assert.equal((await countRead()) - before, 0)
  await db`
    insert into webhook_queue (project_id, webhook_id, id, event_id, event_type, run_at, created_at)
    values (${projectId}, ${id}, uuid_v7(), uuid_v7(), 'ticket.closed', now(), now())`
  await noteMissingDeliveries(db)
  const between = await countRead()
  assert.equal((await look()).backlogged.length, 1)
  const read = (await countRead()) - between
  assert.ok(read < 10, `${read}`)
})
