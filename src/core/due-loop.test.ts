import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, test } from 'node:test'
import { createPlace } from '../../test/database.ts'
import { until } from '../../test/until.ts'
import type { Fragment } from './db.ts'
import { startDueLoop } from './due-loop.ts'
import { createPauses } from './due-pauses.ts'
import { noteDue } from './due-work.ts'
import type { Log } from './log.ts'

const { db, drop } = await createPlace()
after(drop)
beforeEach(() => db`delete from due_work`)

interface Line {
  job: string
  kind: string
  project: string
  retry_in_ms: number
}

/** Runs jobs of one kind until `isEnough`, and returns what was logged. */
async function follow(
  run: (db: unknown, projectId: string) => Promise<number>,
  isEnough: () => boolean,
  maxRows = 1_000,
  count = (look: () => Promise<number>) => look,
) {
  const lines: Line[] = []
  const log = { error: (line: Line) => lines.push(line) } as unknown as Log
  const waiting = () => db`select project_id, due_at from due_work where false` as unknown as Fragment
  const loop = startDueLoop({ db, log, maxRows, count }, [{ name: 'tried', kind: 'messages', waiting, run }])
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
  const begun = performance.now()
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
  await follow(run, () => done.size === 80, 2, countLook)
  // With checks at the usual interval only, this would take a minute.
  assert.ok(performance.now() - begun < 40_000)
  assert.ok(atOnce <= 2 + failing.length, `${atOnce} at once`)
})
