import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextDigestTime } from './digest-times.ts'

const next = (digest: 'hourly' | 'daily', at: string, timezone: string, now: string) =>
  nextDigestTime({ digest, at, timezone }, Date.parse(now))

test('a daily email comes at the same time of the clocks of the time zone, also after they change', () => {
  const berlin = (now: string) => next('daily', '09:00', 'Europe/Berlin', now)
  assert.equal(berlin('2026-03-27T07:59:59Z'), '2026-03-27T08:00:00Z')
  assert.equal(berlin('2026-03-27T08:00:00Z'), '2026-03-28T08:00:00Z')
  assert.equal(berlin('2026-03-28T08:00:00Z'), '2026-03-29T07:00:00Z')
  assert.equal(next('daily', '23:30', 'America/Los_Angeles', '2026-11-29T08:00:00Z'), '2026-11-30T07:30:00Z')
})

test('a time that the clocks skip is moved to the next one', () => {
  assert.equal(next('daily', '02:30', 'Europe/Berlin', '2026-03-28T12:00:00Z'), '2026-03-29T01:30:00Z')
})

test('an hourly email comes at the next full hour of the time zone', () => {
  assert.equal(next('hourly', '09:00', 'UTC', '2026-11-29T10:00:00Z'), '2026-11-29T11:00:00Z')
  assert.equal(next('hourly', '09:00', 'Asia/Kolkata', '2026-11-29T10:10:00Z'), '2026-11-29T10:30:00Z')
})

test('an unknown time zone counts as UTC', () => {
  assert.equal(next('daily', '09:00', 'Moon/Base', '2026-11-29T10:00:00Z'), '2026-11-30T09:00:00Z')
})
