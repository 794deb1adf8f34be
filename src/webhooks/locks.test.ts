import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPlace } from '../../test/database.ts'
import { until } from '../../test/until.ts'
import { inTime } from '../core/async/in-time.ts'
import { createVault } from '../core/crypto.ts'
import type { Sql } from '../core/db/db.ts'
import { newId } from '../core/ids.ts'
import { createLog } from '../core/telemetry/log.ts'
import { createBacklog } from './backlog.ts'
import { startCleanup } from './cleanup.ts'
import { releaseClaims } from './queue.ts'
import { type DeliveryResult, recordResults } from './record.ts'
import { deleteWebhook, registerWebhook } from './webhooks.ts'

const { db, projectId, drop } = await createPlace({ max: 20 })
after(drop)

const backlog = createBacklog(db)

/** A subscription whose failure count every success changes. */
async function register(): Promise<string> {
  const { id } = await registerWebhook(db, createVault(Buffer.alloc(32)), projectId, { url: 'http://x' })
  await db`update webhooks set consecutive_failures = 1 where id = ${id}`
  return id
}

/** A delivery in progress that succeeded, before the outcome is written. */
async function succeed(webhookId: string): Promise<DeliveryResult> {
  const [id, claim_id] = [newId(), newId()]
  const [row] = await db<{ place: string }[]>`
    insert into webhook_queue (project_id, webhook_id, id, claim_id, event_id, event_type, run_at, lease_until, created_at)
    values (${projectId}, ${webhookId}, ${id}, ${claim_id}, ${id}, 'ticket.closed', now(), now() + interval '10 s', now())
    returning ctid::text as place`
  return {
    project_id: projectId,
    webhook_id: webhookId,
    id,
    claim_id,
    place: row!.place,
    status: 'succeeded',
    entry: null,
    pause: null,
  }
}

const waitsForLock = () =>
  until(async () => {
    const [row] = await db`
      select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return row!.count > 0
  })

const lock = (tx: Sql, id: string) => tx`select from webhooks where id = ${id} for update`

test('deleting a subscription never waits for a delivery whose outcome is being written', async () => {
  const id = await register()
  const settled = await succeed(id)
  let settling: Promise<unknown> | undefined
  await db.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await lock(tx, id)
    settling = recordResults(db, [settled]).execute()
    await waitsForLock()
    await deleteWebhook(tx, projectId, id)
  })
  await settling
  assert.deepEqual([...(await db`select from webhook_queue where webhook_id = ${id}`)], [])
})

test('concurrent deletions and outcomes of the same subscriptions cause no deadlock', async () => {
  for (let turn = 0; turn < 20; turn++) {
    const ids = [await register(), await register(), await register()]
    const settled = await Promise.all([...ids, ...ids].map(succeed))
    const batches = [settled.slice(0, 3), settled.slice(3).reverse()]
    await Promise.all([
      ...batches.map(batch => recordResults(db, batch)),
      ...ids.map(id => deleteWebhook(db, projectId, id)),
    ])
  }
})

test('writing outcomes locks subscriptions in the order of their ids', async () => {
  const ids: string[] = []
  for (let turn = 0; turn < 12; turn++) ids.push(await register())
  // Ids of the same millisecond have no order.
  ids.sort()
  const settled = await Promise.all(ids.toReversed().map(succeed))
  let settling: Promise<unknown> | undefined
  await db.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await lock(tx, ids[0]!)
    settling = recordResults(db, settled).execute()
    await waitsForLock()
    const free = await db`select id from webhooks where id = any(${ids as never}) for update skip locked`
    assert.equal(free.length, ids.length - 1)
  })
  await settling
})

test('releasing claims does not wait for outcomes that are being written', async () => {
  const settled = await succeed(await register())
  await db.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`select from webhook_queue where id = ${settled.id} for update`
    assert.equal((await releaseClaims(db, [settled.claim_id])).count, 0)
  })
  assert.equal((await releaseClaims(db, [settled.claim_id])).count, 1)
})

test('the cleanup uses at most one connection', async () => {
  let sweeping: ReturnType<typeof startCleanup> | undefined
  await db.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`lock table webhook_queue, webhook_deliveries in access exclusive mode`
    sweeping = startCleanup({ db, log: createLog('silent'), backlog, delays: [30_000] })
    await waitsForLock()
    await sleep(1_300)
    const [row] = await tx`
      select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    assert.equal(row!.count, 1)
  })
  await sweeping!.stop()
})

test('the cleanup continues until it is stopped', async () => {
  const id = await register()
  await succeed(id)
  const sweeping = startCleanup({ db, log: createLog('silent'), backlog, delays: [30_000] })
  await deleteWebhook(db, projectId, id)
  await succeed(id)
  await until(async () => {
    await backlog.look()
    return (await db`select from webhook_queue where webhook_id = ${id}`).length === 0
  })
  await sweeping.stop()
  await succeed(id)
  await sleep(1_200)
  assert.equal((await db`select from webhook_queue where webhook_id = ${id}`).length, 1)
})

test('gives up a statement that does not end in time, with a clear error', async () => {
  let statement: Promise<unknown> | undefined
  await db.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`select pg_advisory_xact_lock(1)`
    statement = db`select pg_advisory_xact_lock(1)`.execute()
    await assert.rejects(inTime(statement, 100), { message: 'The database has not answered within 0.1 s' })
  })
  await statement
  assert.equal((await inTime(db`select 1 as one`))[0]!.one, 1)
})
