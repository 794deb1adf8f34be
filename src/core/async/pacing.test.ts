import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pauseAfter } from './pacing.ts'

test('pauses three times as long as a batch took, at least 10 ms and at most half a second', () => {
  assert.deepEqual([0, 3, 20, 166, 30_000].map(pauseAfter), [10, 10, 60, 498, 500])
})
