import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createPlace } from '../../test/database.ts'
import { readClock } from '../core/clock.ts'
import { createVault } from '../core/crypto.ts'
import { updateDueToCancelled } from './cleanup-queries.ts'
import { advanceDelayed, postponeHurried } from './clock-jump.ts'
import { registerWebhook } from './webhooks.ts'

const { db, projectId, drop } = await createPlace()
after(drop)

const register = async () =>
  (await registerWebhook(db, createVault(Buffer.alloc(32)), projectId, { url: 'http://x' })).id

/** Inserts a delivery with this many attempts that is due after this interval. With `lease`, a process holds it for that long. */
const place = (webhookId: string, attempts: number, due: string, lease: string | null = null) => db`
  insert into webhook_queue (project_id, webhook_id, id, event_id, event_type, attempts, run_at, lease_until, created_at)
  values (${projectId}, ${webhookId}, uuid_v7(), uuid_v7(), 'ticket.closed', ${attempts},
    now() + ${due}::text::interval, now() + ${lease}::text::interval, now())`

async function secondsLeft(webhookId: string): Promise<number> {
  const [row] = await db<{ rest: number }[]>`
    select extract(epoch from run_at - now())::float8 as rest from webhook_queue where webhook_id = ${webhookId}`
  return row!.rest
}

async function leaseLeft(webhookId: string): Promise<number | null> {
  const [row] = await db<{ rest: number | null }[]>`
    select extract(epoch from lease_until - now())::float8 as rest from webhook_queue where webhook_id = ${webhookId}`
  return row!.rest
}

test('after the clock is set back by an hour, new deliveries are due and retries wait at most their pause', async () => {
  const ids = [await register(), await register(), await register()] as const
  await place(ids[0], 0, '1 hour')
  await place(ids[1], 1, '1 hour')
  await place(ids[2], 2, '119 seconds')
  await advanceDelayed(db, [30_000, 120_000], 10)
  const [fresh, tried, untouched] = await Promise.all(ids.map(secondsLeft))
  assert.ok(fresh! <= 0, `${fresh}`)
  assert.ok(tried! > 29 && tried! <= 30, `${tried}`)
  assert.ok(untouched! > 118, `${untouched}`)
})

test('a delivery moved forward after the clock was set back is not cancelled as older than the enabling of its subscription', async () => {
  const id = await register()
  await db`update webhooks set active_since = now() + interval '1 hour' where id = ${id}`
  await place(id, 0, '2 hours')
  await advanceDelayed(db, [30_000], 10)
  assert.ok((await secondsLeft(id)) <= 3_600)
  assert.equal(await updateDueToCancelled(db, [{ project_id: projectId, webhook_id: id }], 10), 0)
})

const hour = 3_600_000
const delays = [30_000, 7_200_000]

/** Simulates that the clock has just been put forward by an hour: what is 3,600 s overdue now was due just before. */
async function leap(limit = 10): Promise<void> {
  const mend = postponeHurried(db, delays, { by: hour, unmoved: (await readClock(db)) - hour })
  while ((await mend(limit)) === limit);
}

const isAbout = (seconds: number | null, wanted: number) =>
  assert.ok(seconds !== null && Math.abs(seconds - wanted) < 2, `${seconds}, not ${wanted}`)

test('after the clock is put forward, retries wait as long as before, and new deliveries are due', async () => {
  const [fresh, tried, long] = [await register(), await register(), await register()]
  await place(fresh, 0, '-3600 seconds')
  await place(tried, 1, '-3580 seconds')
  await place(long, 2, '3000 seconds')
  await leap()
  isAbout(await secondsLeft(fresh), -3_600)
  isAbout(await secondsLeft(tried), 20)
  isAbout(await secondsLeft(long), 6_600)
})

test('a delivery attempted after the clock was put forward keeps its time', async () => {
  const id = await register()
  await place(id, 1, '29 seconds')
  await leap()
  isAbout(await secondsLeft(id), 29)
})

test('no delivery waits longer than its whole pause, even if many processes postpone it', async () => {
  const id = await register()
  await place(id, 2, '-1000 seconds')
  for (let turn = 0; turn < 9; turn++) await leap()
  const seconds = await secondsLeft(id)
  assert.ok(seconds >= 2_600 && seconds <= 7_200, `${seconds}`)
})

test('a lease lasts as long as before the clock was put forward, even if several processes extend it', async () => {
  const [held, open] = [await register(), await register()]
  await place(held, 0, '-3600 seconds', '-3590 seconds')
  await place(open, 0, '-3600 seconds')
  for (let turn = 0; turn < 2; turn++) {
    await leap()
    isAbout(await leaseLeft(held), 10)
  }
  assert.equal(await leaseLeft(open), null)
})

test('nothing is postponed twice in any number of calls', async () => {
  const ids = [await register(), await register(), await register()]
  for (const id of ids) await place(id, 2, '-1000 seconds')
  await leap(1)
  for (const id of ids) isAbout(await secondsLeft(id), 2_600)
})
