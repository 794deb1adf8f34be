import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPlaces } from './places.ts'

test('so many at once for each owner, the others in the order in which they came', async () => {
  const places = createPlaces(2)
  const begun: number[] = []
  let underway = 0
  const act = (number: number) =>
    places.hold('a', 5_000, async () => {
      begun.push(number)
      assert.ok(++underway <= 2)
      await sleep(10)
      underway -= 1
      return number
    })
  const all = Promise.all([0, 1, 2, 3, 4, 5].map(act))
  assert.equal(await places.hold('b', 0, async () => 'at once'), 'at once')
  assert.deepEqual(await all, [0, 1, 2, 3, 4, 5])
  assert.deepEqual(begun, [0, 1, 2, 3, 4, 5])
})

test('whoever waits too long gets nothing, and takes no place later', async () => {
  const places = createPlaces(1)
  const { promise, resolve } = Promise.withResolvers<string>()
  const holding = places.hold('a', 0, () => promise)
  assert.equal(await places.hold('a', 20, async () => 'late'), null)
  resolve('done')
  assert.equal(await holding, 'done')
  assert.equal(await places.hold('a', 0, async () => 'free again'), 'free again')
})

test('what breaks gives its place back', async () => {
  const places = createPlaces(1)
  const broken = places.hold('a', 0, () => Promise.reject(new Error('broken')))
  const next = places.hold('a', 1_000, async () => 'next')
  await assert.rejects(broken, { message: 'broken' })
  assert.equal(await next, 'next')
})
