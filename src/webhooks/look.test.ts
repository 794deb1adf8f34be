import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { createPlace } from '../../test/database.ts'
import { createVault } from '../core/crypto.ts'
import { connectBeside, type Sql } from '../core/db.ts'
import { newId } from '../core/ids.ts'
import { claimDue } from './claim.ts'
import { createLook } from './look.ts'
import { changeWebhook, deleteWebhook, registerWebhook } from './webhooks.ts'

const { db, projectId, drop } = await createPlace()
const beside = connectBeside(db, { max: 1 })
after(async () => {
  await beside.end()
  await drop()
})
beforeEach(() => db`delete from webhook_queue`)

const register = async () =>
  (await registerWebhook(db, createVault(Buffer.alloc(32)), projectId, { url: 'http://x' })).id

const enqueue = (webhookId: string, age: string, count = 1) => db`
  insert into webhook_queue (project_id, webhook_id, id, event_id, event_type, run_at, created_at)
  select ${projectId}, ${webhookId}, uuid_v7(), uuid_v7(), 'ticket.closed', now() - ${age}::text::interval, now()
  from generate_series(1, ${count}::int)`

const room = { total: 256, project: 64, cap: 8, targets: [], projects: [] }
const claimOf = (sql: Sql, lease = 15_000) =>
  claimDue(sql, { id: newId(), room, lease, projects: [projectId], behind: [] })

test('a look finds who has something due that nobody has in hand', async () => {
  const [behind, later, off, gone, held] = await Promise.all(Array.from({ length: 5 }, register))
  for (const id of [behind, off, gone]) await enqueue(id!, '1 hour')
  await enqueue(later!, '-1 minute')
  await enqueue(held!, '0 s')
  await claimOf(db)
  await changeWebhook(db, projectId, off!, { is_active: false }, null)
  await deleteWebhook(db, projectId, gone!)
  const found = await createLook(db)()
  assert.deepEqual(
    found.map(one => one.webhook_id),
    [behind],
  )
})

test('the next look finds what was held, what fell due, and what was written late', async () => {
  const [held, later, late] = await Promise.all(Array.from({ length: 3 }, register))
  const look = createLook(db)
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
  const behind = await createLook(db)()
  const rows = await claimDue(db, { id: newId(), room, lease: 15_000, projects: [], behind })
  assert.equal(rows.length, 3)
})

/** Entries of indexes that one connection has read so far, those of rows that are gone included. */
async function countRead(): Promise<number> {
  await beside`select pg_stat_force_next_flush()`
  const [row] = await beside<{ read: number }[]>`
    select sum(idx_tup_read)::int as read from pg_stat_user_indexes where relname = 'webhook_queue'`
  return row!.read
}

test('while somebody holds a snapshot, looks and claims do not read what was sent since', async () => {
  const id = await register()
  const snapshot = await db.reserve()
  try {
    await snapshot`begin isolation level repeatable read`
    await snapshot`select from webhook_queue`
    await enqueue(id, '1 minute', 5_000)
    await db`delete from webhook_queue where webhook_id = ${id}`
    const look = createLook(beside)
    await look()
    await enqueue(id, '0 s', 3)
    const before = await countRead()
    assert.equal((await look()).length, 1)
    assert.equal((await claimOf(beside)).length, 3)
    const read = (await countRead()) - before
    assert.ok(read < 50, `${read} entries were read`)
  } finally {
    await snapshot`rollback`
    snapshot.release()
  }
})
