import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createPlace } from '../../test/database.ts'
import { createVault } from '../core/crypto.ts'
import { updateDelayed, updateDueToCancelled } from './cleanup-queries.ts'
import { registerWebhook } from './webhooks.ts'

const { db, projectId, drop } = await createPlace()
after(drop)

const register = async () =>
  (await registerWebhook(db, createVault(Buffer.alloc(32)), projectId, { url: 'http://x' })).id

/** Inserts a delivery with this many attempts that is due after this interval. */
const place = (webhookId: string, attempts: number, due: string) => db`
  insert into webhook_queue (project_id, webhook_id, id, event_id, event_type, attempts, run_at, created_at)
  values (${projectId}, ${webhookId}, uuid_v7(), uuid_v7(), 'ticket.closed', ${attempts},
    now() + ${due}::text::interval, now())`

async function secondsLeft(webhookId: string): Promise<number> {
  const [row] = await db<{ rest: number }[]>`
    select extract(epoch from run_at - now())::float8 as rest from webhook_queue where webhook_id = ${webhookId}`
  return row!.rest
}

test('after the clock is set back by an hour, new deliveries are due and retries wait at most their pause', async () => {
  const ids = [await register(), await register(), await register()] as const
  await place(ids[0], 0, '1 hour')
  await place(ids[1], 1, '1 hour')
  await place(ids[2], 2, '119 seconds')
  assert.equal(await updateDelayed(db, [30_000, 120_000], 10), 2)
  const [fresh, tried, untouched] = await Promise.all(ids.map(secondsLeft))
  assert.ok(fresh! <= 0, `${fresh}`)
  assert.ok(tried! > 20 && tried! <= 30, `${tried}`)
  assert.ok(untouched! > 109 && untouched! <= 119, `${untouched}`)
})

test('what is moved forward after the clock was set back is recorded as due work', async () => {
  const id = await register()
  await place(id, 0, '1 hour')
  await db`
    insert into due_work (project_id, kind, subject_id, due_at)
    values (${projectId}, 'deliveries', ${id}, now() + interval '1 hour')`
  await updateDelayed(db, [30_000], 10)
  const due = await db`select from due_work where subject_id = ${id} and due_at <= now()`
  assert.equal(due.length, 1)
})

test('a delivery moved forward after the clock was set back is not cancelled as older than the enabling of its subscription', async () => {
  const id = await register()
  await db`update webhooks set active_since = now() + interval '1 hour' where id = ${id}`
  await place(id, 0, '2 hours')
  await updateDelayed(db, [30_000], 10)
  assert.ok((await secondsLeft(id)) <= 3_600)
  assert.equal(await updateDueToCancelled(db, [{ project_id: projectId, webhook_id: id }], 10), 0)
})
