import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { until } from '../test/until.ts'
import { collectWhenIdle } from './idle-gc.ts'

const held = () => process.memoryUsage().heapTotal / 2 ** 20

/** Work that fills the space for new objects and keeps none of them. */
function work(): number {
  let count = 0
  for (let round = 0; round < 200; round++) {
    count += Array.from({ length: 20_000 }, (_, index) => ({ index, round })).length
  }
  return count
}

test('returns the memory of earlier work when the process is idle', async t => {
  work()
  const before = held()
  t.after(collectWhenIdle(50))
  await until(() => held() < before - 16)
})

test('collects nothing while the process is busy', async t => {
  work()
  const before = held()
  t.after(collectWhenIdle(50))
  for (let turn = 0; turn < 10; turn++) {
    work()
    await nextTurn()
    assert.ok(held() > before - 16, `${held()} of ${before}`)
  }
})
