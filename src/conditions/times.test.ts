import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dateRangeOf, type TimeRange, timeRangeOf } from './times.ts'

const hours = ({ from, until }: TimeRange): number =>
  (Date.parse(`${until}Z`) - Date.parse(`${from}Z`)) / 3_600_000

const momentOf = (text: string, zone = 'Europe/Berlin') => ({ at: Date.parse(text), zone })

const days = [
  { day: '2026-03-28', length: 24, from: '2026-03-27T23:00:00.000000' },
  { day: '2026-03-29', length: 23, from: '2026-03-28T23:00:00.000000' },
  { day: '2026-10-25', length: 25, from: '2026-10-24T22:00:00.000000' },
]
for (const { day, length, from } of days)
  test(`${day} has ${length} hours in Berlin`, () => {
    const moment = momentOf('2026-06-01T12:00:00Z')
    const range = timeRangeOf('between', [day, day], moment)
    assert.equal(range.from, from)
    assert.equal(hours(range), length)
    assert.deepEqual(timeRangeOf('before', day, moment), { from: null, until: from })
    const next = `${day.slice(0, 8)}${Number(day.slice(8)) + 1}`
    assert.equal(timeRangeOf('after', next, moment).from, range.until)
  })

test('a day that begins at one o’clock, because midnight is skipped, has 23 hours', () => {
  const range = timeRangeOf(
    'between',
    ['2026-04-24', '2026-04-24'],
    momentOf('2026-06-01T00:00:00Z', 'Africa/Cairo'),
  )
  assert.deepEqual(range, { from: '2026-04-23T22:00:00.000000', until: '2026-04-24T21:00:00.000000' })
})

test('days follow the calendar, and hours the clock, when the clock is changed', () => {
  const noonAfterSpring = momentOf('2026-03-29T10:00:00Z')
  assert.equal(timeRangeOf('within_last', 'P1D', noonAfterSpring).from, '2026-03-28T11:00:00.000000')
  assert.equal(timeRangeOf('within_last', 'PT24H', noonAfterSpring).from, '2026-03-28T10:00:00.000000')
  const noonAfterAutumn = momentOf('2026-10-25T11:00:00Z')
  assert.equal(timeRangeOf('older_than', 'P1D', noonAfterAutumn).until, '2026-10-24T10:00:00.000000')
  assert.equal(timeRangeOf('older_than', 'PT24H', noonAfterAutumn).until, '2026-10-24T11:00:00.000000')
})

test('a date field is compared with the day in the zone, not the day in UTC', () => {
  const late = momentOf('2026-10-25T23:30:00Z')
  assert.deepEqual(dateRangeOf('within_last', 'P1D', late), { from: '2026-10-25', until: '2026-10-27' })
  assert.deepEqual(dateRangeOf('before', '2026-03-28T23:30:00Z', late), { from: null, until: '2026-03-29' })
})
