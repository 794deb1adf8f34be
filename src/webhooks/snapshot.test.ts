import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createPlace } from '../../test/database.ts'
import { createVault } from '../core/crypto.ts'
import { connectApart } from '../core/db/db.ts'
import { newId } from '../core/ids.ts'
import { createBacklogFinder } from './find-backlog.ts'
import { type ClaimedDelivery, claimDue } from './queue.ts'
import { type DeliveryResult, recordResults } from './record.ts'
import { registerWebhook } from './webhooks.ts'

const { db, projectId, drop } = await createPlace()
/**
 * Everything that uses the queue runs on this connection, except for the snapshot, because a connection reports its statistics
 * late.
 */
const connection = connectApart(db, { max: 1 })
after(async () => {
  await connection.end()
  await drop()
})

const enqueue = (webhookId: string, age: string, count: number) => connection`
  insert into webhook_queue (project_id, webhook_id, id, event_id, event_type, run_at, created_at)
  select ${projectId}, ${webhookId}, uuid_v7(), uuid_v7(), 'ticket.closed', now() - ${age}::text::interval, now()
  from generate_series(1, ${count}::int)`

/** How many index entries have been read so far, including those of deleted rows, and how many scans of all rows there were. */
async function countRead(): Promise<[number, number]> {
  await connection`select pg_stat_force_next_flush()`
  const [row] = await connection<{ read: number; scans: number }[]>`
    select sum(i.idx_tup_read)::int as read, max(t.seq_scan)::int as scans
    from pg_stat_user_indexes i join pg_stat_user_tables t using (relid) where i.relname = 'webhook_queue'`
  return [row!.read, row!.scans]
}

const capacity = { total: 256, project: 64, cap: 8, targets: [], projects: [] }
const claim = () =>
  claimDue(connection, {
    id: newId(),
    capacity,
    lease: 15_000,
    projects: [projectId],
    backlogged: [],
  })

const successOf = ({ project_id, webhook_id, id, claim_id, place }: ClaimedDelivery): DeliveryResult => ({
  ...{ project_id, webhook_id, id, claim_id, place },
  ...{ status: 'succeeded', entry: null, pause: null },
})

test('while a snapshot is held, checks, claims and outcomes do not read the deliveries sent since', async () => {
  const { id } = await registerWebhook(db, createVault(Buffer.alloc(32)), projectId, { url: 'http://x' })
  const snapshot = await db.reserve()
  try {
    await snapshot`begin isolation level repeatable read`
    await snapshot`select from webhook_queue`
    await enqueue(id, '1 minute', 5_000)
    await connection`delete from webhook_queue where webhook_id = ${id}`
    const look = createBacklogFinder(connection)
    const targets = [{ project_id: projectId, subject_id: id }]
    await look(targets)
    await enqueue(id, '0 s', 3)
    // Simulates autovacuum: from then on the planner knows how few rows there are.
    await connection`vacuum analyze webhook_queue`
    const [readBefore, scansBefore] = await countRead()
    assert.equal((await look(targets)).filter(one => one.since !== null).length, 1)
    const claimed = await claim()
    assert.equal(claimed.length, 3)
    await recordResults(connection, claimed.map(successOf))
    const [read, scans] = await countRead()
    assert.ok(read - readBefore < 50, `${read - readBefore} entries were read`)
    assert.equal(scans - scansBefore, 0, 'scans of the whole queue')
    assert.equal((await connection`select from webhook_queue`).length, 0)
  } finally {
    await snapshot`rollback`
    snapshot.release()
  }
})
