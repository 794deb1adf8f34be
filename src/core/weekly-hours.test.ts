import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOpenAt, nextOpening } from './weekly-hours.ts'

const berlin = {
  timezone: 'Europe/Berlin',
  days: [1, 2, 3, 4, 5].map(day => ({ day, from: '09:00', to: '17:00' })),
}
const at = (text: string): number => Date.parse(text)

test('the hours include their first minute and exclude the end', () => {
  // A Wednesday in winter: Berlin is one hour ahead of UTC.
  assert.equal(isOpenAt(berlin, at('2026-01-14T07:59:59Z')), false)
  assert.equal(isOpenAt(berlin, at('2026-01-14T08:00:00Z')), true)
  assert.equal(isOpenAt(berlin, at('2026-01-14T15:59:59Z')), true)
  assert.equal(isOpenAt(berlin, at('2026-01-14T16:00:00Z')), false)
})

test('the next opening may be on another day of the week', () => {
  assert.equal(nextOpening(berlin, at('2026-01-14T03:20:00Z')), at('2026-01-14T08:00:00Z'))
  assert.equal(nextOpening(berlin, at('2026-01-16T18:00:30Z')), at('2026-01-19T08:00:00Z'))
})

test('the next opening accounts for daylight saving changes in between', () => {
  assert.equal(nextOpening(berlin, at('2026-03-28T12:00:00Z')), at('2026-03-30T07:00:00Z'))
  assert.equal(nextOpening(berlin, at('2026-10-24T12:00:00Z')), at('2026-10-26T08:00:00Z'))
})

test('hours that end before they begin continue until the next day', () => {
  const bar = { timezone: 'UTC', days: [{ day: 7, from: '22:00', to: '06:00' }] }
  // A Sunday and the following Monday.
  for (const [time, isOpen] of [
    ['2026-01-18T21:59:59Z', false],
    ['2026-01-18T22:00:00Z', true],
    ['2026-01-19T05:59:59Z', true],
    ['2026-01-19T06:00:00Z', false],
    ['2026-01-18T05:00:00Z', false],
  ] as const)
    assert.equal(isOpenAt(bar, at(time)), isOpen, time)
  assert.equal(nextOpening(bar, at('2026-01-19T12:00:00Z')), at('2026-01-25T22:00:00Z'))
})

test('a project without hours has no next opening', () => {
  assert.equal(nextOpening({ ...berlin, days: [] }, at('2026-01-14T12:00:00Z')), null)
})
