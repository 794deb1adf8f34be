import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchClock } from './clock.ts'

const hour = 3_600_000

/** Each query is sent and answered when `sent` and `answered` milliseconds have elapsed, and the clock then shows `shown`. */
function make(readings: { sent: number; shown: number; answered: number }[]) {
  let elapsed = 0
  let next = 0
  const clock = watchClock(
    async () => {
      const { shown, answered } = readings[next++]!
      elapsed = answered
      return shown
    },
    () => elapsed,
  )
  const look = () => {
    elapsed = readings[next]!.sent
    return clock.findJump()
  }
  const pass = (ms: number) => {
    elapsed += ms
  }
  return { clock, look, pass }
}

/** A reading without delay. */
const at = (elapsed: number, shown: number) => ({ sent: elapsed, shown, answered: elapsed })

test('the first check reports that the clock may have been set back', async () => {
  const { clock, look } = make([at(5, 1_000)])
  assert.equal(clock.latest(), null)
  assert.ok((await look())!.by < 0)
  clock.accept()
  assert.equal(clock.latest(), 1_000)
})

test('reports no jump for a normal clock, and the latest possible time', async () => {
  const { clock, look, pass } = make([at(0, hour), at(1_000, hour + 1_000), at(9_000, hour + 9_700)])
  await look()
  clock.accept()
  assert.equal(await look(), null)
  assert.equal(await look(), null)
  pass(300)
  assert.equal(clock.latest(), hour + 10_000)
})

test('reports a jump until it is accepted', async () => {
  const readings = [
    at(0, 0),
    at(1_000, hour + 1_000),
    at(2_000, hour + 2_000),
    at(3_000, hour + 3_000),
    at(4_000, 4_000),
  ]
  const { clock, look } = make(readings)
  await look()
  clock.accept()
  assert.deepEqual(await look(), { by: hour, unmoved: 1_000 })
  assert.equal(clock.latest(), 1_000)
  assert.deepEqual(await look(), { by: hour, unmoved: 2_000 })
  clock.accept()
  assert.equal(clock.latest(), hour + 2_000)
  assert.equal(await look(), null)
  assert.deepEqual(await look(), { by: -hour, unmoved: hour + 4_000 })
})

test('a slow response does not look like a jump', async () => {
  const slow = { sent: 1_000, shown: 1_000, answered: 9_000 }
  const late = { sent: 20_000, shown: 29_000, answered: 29_000 }
  const { clock, look } = make([at(0, 0), slow, at(10_000, 10_000), late, at(30_000, 30_000)])
  await look()
  clock.accept()
  for (let turn = 1; turn < 5; turn++) assert.equal(await look(), null, `${turn}`)
})

test('reports the largest possible jump, so that an attempt waits too long rather than too short', async () => {
  const { clock, look } = make([{ sent: 0, shown: 400, answered: 1_000 }, at(2_000, hour + 2_000)])
  assert.equal((await look())!.unmoved, 1_400)
  clock.accept()
  assert.deepEqual(await look(), { by: hour + 600, unmoved: 2_400 })
})
