import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pauseAfter } from './pacing.ts'

test('a batch is followed by a rest three times as long, of 10 ms at least and half a second at most', () => {
  assert.deepEqual([0, 3, 20, 166, 30_000].map(pauseAfter), [10, 10, 60, 498, 500])
})
