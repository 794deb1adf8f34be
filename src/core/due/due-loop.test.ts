import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, test } from 'node:test'
import { createPlace } from '../../../test/database.ts'
import { until } from '../../../test/until.ts'
import type { Fragment } from '../db/db.ts'
import type { Log } from '../telemetry/log.ts'
import { startDueLoop } from './due-loop.ts'
import { createPauses } from './due-pauses.ts'
import { noteDue } from './due-work.ts'

const { db, drop } = await createPlace()
after(drop)
beforeEach(() => db`delete from due_work`)

interface Line {
  job: string
  kind: string
  project: string
  retry_in_ms: number
}

/** Milliseconds between checks, if none but the first may follow by itself before a test has failed. */
const rarely = 120_000

/** Runs jobs of one kind until `isEnough`, and returns what was logged. */
async function follow(
  run: (db: unknown, projectId: string) => Promise<number>,
  isEnough: () => boolean,
  maxRows = 1_000,
  count = (look: () => Promise<number>) => look,
  waiting = (): Fragment => db`select project_id, due_at from due_work where false`,
  interval?: number,
) {
  const lines: Line[] = []
  const log = { error: (line: Line) => lines.push(line) } as unknown as Log
  const job = { name: 'tried', kind: 'messages', waiting, run } as const
  const loop = startDueLoop({ db, log, maxRows, count, interval }, [job])
  await until(async () => isEnough(), 60)
  await loop.stop()
  return lines
}

test('retries failed work after growing pauses, and logs each failure with its project', async () => {
  const failing = [randomUUID(), randomUUID()]
  for (const id of failing) await db`${noteDue(db, id, 'messages')}`
  const tried: { id: string; at: number }[] = []
  const run = async (_: unknown, id: string) => {
    tried.push({ id, at: performance.now() })
    throw new Error('broken')
  }
  const lines = await follow(run, () => tried.length >= 6)
  for (const id of failing) {
    const [first, second, third] = tried.filter(one => one.id === id).map(({ at }) => at)
    assert.ok(second! - first! >= 1_499, `${second! - first!} ms`)
    assert.ok(third! - second! >= 2_999, `${third! - second!} ms`)
    const [line] = lines.filter(({ project }) => project === id)
    assert.deepEqual([line!.job, line!.kind, line!.retry_in_ms], ['tried', 'messages', 1_500])
  }
})

test('limits the pause to a minute, resets it on success, and applies it only to the work that failed', () => {
  let now = 0
  const pauses = createPauses(() => now)
  const work = { kind: 'messages', project_id: 'a', subject_id: 'a' } as const
  const waits = Array.from({ length: 8 }, () => pauses.begin(work))
  assert.deepEqual(waits, [1_500, 3_000, 6_000, 12_000, 24_000, 48_000, 60_000, 60_000])
  assert.ok(!pauses.isOver(work))
  assert.ok(pauses.isOver({ ...work, kind: 'tags' }))
  now = 60_000
  assert.ok(pauses.isOver(work))
  pauses.end(work)
  assert.equal(pauses.begin(work), 1_500)
})

test('takes a limited number of rows at once, continues immediately when more are due, and is not delayed by failing rows', async () => {
  const failing: string[] = [randomUUID(), randomUUID(), randomUUID()]
  for (const id of failing) await db`${noteDue(db, id, 'messages', '2020-01-01')}`
  for (let n = 0; n < 80; n++) await db`${noteDue(db, randomUUID(), 'messages')}`
  const done = new Set<string>()
  let [sinceLook, atOnce] = [0, 0]
  const run = async (_: unknown, id: string) => {
    atOnce = Math.max(atOnce, ++sinceLook)
    if (failing.includes(id)) throw new Error('broken')
    done.add(id)
    return 0
  }
  const countLook = (look: () => Promise<number>) => async () => {
    sinceLook = 0
    return look()
  }
  await follow(run, () => done.size === 80, 2, countLook, undefined, rarely)
  assert.ok(atOnce <= 2 + failing.length, `${atOnce} at once`)
})

test('work that becomes due while its job is running starts when the job has ended', async () => {
  const [first, second] = [randomUUID(), randomUUID()]
  await db`${noteDue(db, first, 'messages')}`
  await db`insert into due_work (project_id, kind, subject_id, due_at)
    values (${second}, 'messages', ${second}, now() + interval '2 s')`
  let [looks, endedAt, startedAt] = [0, 0, 0]
  const countLook = (look: () => Promise<number>) => async () => {
    const wait = await look()
    looks++
    return wait
  }
  const run = async (_: unknown, id: string) => {
    if (id === first) {
      await until(() => looks > 1)
      endedAt = performance.now()
    } else startedAt ||= performance.now()
    return 0
  }
  await follow(run, () => startedAt > 0, 1_000, countLook, undefined, rarely)
  assert.ok(startedAt >= endedAt)
})

test('the next work of a project starts on time, even if it was not known at the last check', async () => {
  const id = randomUUID()
  await db`create table waiting_work (project_id uuid, due_at timestamptz)`
  await db`insert into waiting_work values (${id}, now())`
  await db`${noteDue(db, id, 'messages')}`
  let done = 0
  const run = async () => {
    const { count } = await db`delete from waiting_work where due_at <= clock_timestamp()`
    if (count > 0 && ++done === 1)
      await db`insert into waiting_work values (${id}, clock_timestamp() + interval '3 s')`
    return count
  }
  const waiting = () => db`select project_id, due_at from waiting_work`
  await follow(run, () => done === 2, 1_000, undefined, waiting, rarely)
})
