import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../src/core/db/db.ts'
import { newId } from '../../src/core/ids.ts'
import { deleteOldEvents } from '../../src/events/retention.ts'
import { transact } from '../../src/events/transaction.ts'
import { createProject } from '../../src/projects/projects.ts'
import { percentile, round } from '../figures.ts'

/** Milliseconds between two probes. */
const pause = 10
const alone = 10_000

/** Inserts events that are older than the retention. */
async function fillOld(db: Db, count: number): Promise<string> {
  const { id } = await createProject(db, { name: 'Cleanup' })
  await db`
    insert into events (project_id, seq, id, type, data, created_at)
    select ${id}, n, gen_random_uuid(), 'ticket.reopened', json_build_object('ticket_id', gen_random_uuid(), 'n', n),
      now() - interval '30 days' + n * interval '1 second' from generate_series(1, ${count}::int) n`
  return id
}

/** Measures concurrent writes to the log and reads of its end. */
async function probe(db: Db, project: string, isOver: () => boolean): Promise<number[]> {
  const times: number[] = []
  while (!isOver()) {
    await sleep(pause)
    const begun = performance.now()
    await transact(db, project, async tx => {
      tx.emit({ type: 'ticket.reopened', data: { ticket_id: newId(), status: 'open' } })
    })
    await db`select * from events where project_id = ${project} order by seq desc limit 100`
    times.push(performance.now() - begun)
  }
  return times
}

async function deleteAll(db: Db): Promise<{ batches: number; longest: number; seconds: number }> {
  const begun = performance.now()
  let [batches, longest, count] = [0, 0, 1]
  for (; count > 0; batches++) {
    const start = performance.now()
    count = await deleteOldEvents(db, { eventRetention: 14 * 86_400_000, readers: [] })
    longest = Math.max(longest, performance.now() - start)
  }
  return { batches, longest, seconds: (performance.now() - begun) / 1000 }
}

/** Deletes this many old events like the job, and measures the effect on writers and readers. */
export async function cleanUp(db: Db, count: number): Promise<boolean> {
  const project = await fillOld(db, count)
  const end = performance.now() + alone
  const before = await probe(db, project, () => performance.now() > end)
  let isDone = false
  const beside = probe(db, project, () => isDone)
  const { batches, longest, seconds } = await deleteAll(db).finally(() => {
    isDone = true
  })
  const [quiet, busy] = [before, await beside].map(times => percentile(times, 0.99)) as [number, number]
  console.log(
    `${count} old events deleted in ${batches} batches and ${round(seconds, 1)} s, the longest ${round(longest)} ms; ` +
      `p99 of concurrent writes and reads ${round(busy, 1)} ms, without the deletion ${round(quiet, 1)} ms`,
  )
  return busy <= Math.max(2 * quiet, 20)
}
