import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKeyedSemaphore } from './keyed-semaphore.ts'

test('allows a number of actions per key at once, and runs the others in order', async () => {
  const semaphore = createKeyedSemaphore(2)
  const begun: number[] = []
  let underway = 0
  const act = (number: number) =>
    semaphore.run('a', 5_000, async () => {
      begun.push(number)
      assert.ok(++underway <= 2)
      await sleep(10)
      underway -= 1
      return number
    })
  const all = Promise.all([0, 1, 2, 3, 4, 5].map(act))
  assert.equal(await semaphore.run('b', 0, async () => 'at once'), 'at once')
  assert.deepEqual(await all, [0, 1, 2, 3, 4, 5])
  assert.deepEqual(begun, [0, 1, 2, 3, 4, 5])
})

test('an action that waits too long is not run, and takes no slot later', async () => {
  const semaphore = createKeyedSemaphore(1)
  const { promise, resolve } = Promise.withResolvers<string>()
  const holding = semaphore.run('a', 0, () => promise)
  assert.equal(await semaphore.run('a', 20, async () => 'late'), null)
  resolve('done')
  assert.equal(await holding, 'done')
  assert.equal(await semaphore.run('a', 0, async () => 'free again'), 'free again')
})

test('a failed action releases its slot', async () => {
  const semaphore = createKeyedSemaphore(1)
  const broken = semaphore.run('a', 0, () => Promise.reject(new Error('broken')))
  const next = semaphore.run('a', 1_000, async () => 'next')
  await assert.rejects(broken, { message: 'broken' })
  assert.equal(await next, 'next')
})
