import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createPlace } from '../../test/database.ts'
import { createVault } from '../core/crypto.ts'
import {
  deleteEmptyWebhooks,
  deleteHistoryOfDeleted,
  deleteOldHistory,
  deleteOrphans,
  deleteQueueOfDeleted,
  updateDueToCancelled,
} from './cleanup-queries.ts'
import { deleteWebhook, registerWebhook } from './webhooks.ts'

const { db, projectId, drop } = await createPlace()
after(drop)

type Target = { project_id: string; webhook_id: string }

const register = async () =>
  (await registerWebhook(db, createVault(Buffer.alloc(32)), projectId, { url: 'http://x' })).id

const enqueue = (webhookId: string, count: number) => db`
  insert into webhook_queue (project_id, webhook_id, id, event_id, event_type, run_at, created_at)
  select ${projectId}, ${webhookId}, uuid_v7(), uuid_v7(), 'ticket.closed', now(), now() from generate_series(1, ${count}::int)`

const targets = async () => [...(await db<Target[]>`select project_id, id as webhook_id from webhooks`)]

const remember = (webhookId: string, count: number, age: string) => db`
  insert into webhook_deliveries (project_id, webhook_id, id, event_id, event_type, status, attempts, created_at, finished_at)
  select ${projectId}, ${webhookId}, uuid_v7(), uuid_v7(), 'ticket.closed', 'succeeded', 1, now(), now() - ${age}::text::interval
  from generate_series(1, ${count}::int)`

async function count(table: string, webhookId: string): Promise<number> {
  const [row] = await db`select count(*) from ${db(table)} where webhook_id = ${webhookId}`
  return row!.count
}

test('cancels due deliveries of an inactive subscription in batches', async () => {
  const id = await register()
  await enqueue(id, 7)
  await db`update webhooks set is_active = false where id = ${id}`
  assert.equal(await updateDueToCancelled(db, await targets(), 5), 5)
  assert.equal(await updateDueToCancelled(db, await targets(), 5), 2)
  assert.deepEqual([await count('webhook_queue', id), await count('webhook_deliveries', id)], [0, 7])
})

test('keeps due deliveries of an active subscription, and future ones of an inactive one', async () => {
  const [on, off] = [await register(), await register()]
  await enqueue(on, 1)
  await enqueue(off, 1)
  await db`update webhook_queue set run_at = now() + interval '1 minute' where webhook_id = ${off}`
  await db`update webhooks set is_active = false where id = ${off}`
  assert.equal(await updateDueToCancelled(db, await targets(), 5), 0)
})

test('a deletion removes up to a thousand waiting deliveries at once, and the cleanup the rest', async () => {
  const id = await register()
  await enqueue(id, 1_200)
  await deleteWebhook(db, projectId, id)
  assert.equal(await count('webhook_queue', id), 200)
  assert.equal(await deleteQueueOfDeleted(db, await targets(), 5_000), 200)
})

test('deletes the queue of a subscription whose row no longer exists', async () => {
  const id = await register()
  await enqueue(id, 2)
  await db`delete from webhooks where id = ${id}`
  assert.equal(await deleteOrphans(db, 5_000), 2)
})

test('deletes the history of a deleted subscription in batches, and keeps that of others', async () => {
  const [gone, other] = [await register(), await register()]
  await remember(gone, 7, '1 day')
  await remember(other, 3, '1 day')
  await deleteWebhook(db, projectId, gone)
  assert.equal(await deleteHistoryOfDeleted(db, await targets(), 5), 5)
  assert.equal(await deleteHistoryOfDeleted(db, await targets(), 5), 2)
  assert.equal(await count('webhook_deliveries', other), 3)
})

test('deletes the row of a deleted subscription after a minute, once nothing is left of it', async () => {
  const id = await register()
  await remember(id, 1, '1 day')
  await deleteWebhook(db, projectId, id)
  const isThere = async () => (await db`select from webhooks where id = ${id}`).length === 1
  await deleteHistoryOfDeleted(db, await targets(), 5)
  await deleteEmptyWebhooks(db)
  assert.ok(await isThere())
  await db`update webhooks set deleted_at = now() - interval '61 seconds' where id = ${id}`
  await remember(id, 1, '1 day')
  await deleteEmptyWebhooks(db)
  assert.ok(await isThere())
  await deleteHistoryOfDeleted(db, await targets(), 5)
  await deleteEmptyWebhooks(db)
  assert.ok(!(await isThere()))
})

test('keeps history for 14 days', async () => {
  const id = await register()
  await remember(id, 4, '14 days 1 minute')
  await remember(id, 3, '13 days 23 hours')
  assert.equal(await deleteOldHistory(db, 1_000), 4)
  assert.equal(await count('webhook_deliveries', id), 3)
})
