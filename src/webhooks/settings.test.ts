import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../core/config/config.ts'

test('WEBHOOK_TIMEOUT is at most 15 s', () => {
  assert.equal(readConfig({ WEBHOOK_TIMEOUT: '15s' }).webhookTimeout, 15_000)
  for (const value of ['15001ms', '16s', '30d', '0s', 'soon']) {
    assert.throws(() => readConfig({ WEBHOOK_TIMEOUT: value }), {
      message: `WEBHOOK_TIMEOUT: "${value}" is not a duration such as 500ms or 5s, at most 15s`,
    })
  }
})

test('WEBHOOK_RETRY_DELAYS has one to five pauses, at most 7 days in total', () => {
  assert.deepEqual(readConfig({ WEBHOOK_RETRY_DELAYS: '1s' }).webhookRetryDelays, [1_000])
  assert.equal(readConfig({ WEBHOOK_RETRY_DELAYS: '1d,1d,1d,2d,2d' }).webhookRetryDelays.length, 5)
  for (const value of ['1s,1s,1s,1s,1s,1s', ',', '7d,1ms', '1s,soon']) {
    assert.throws(() => readConfig({ WEBHOOK_RETRY_DELAYS: value }), {
      message: /^WEBHOOK_RETRY_DELAYS: .* is not one to five durations such as .*, at most 7 days in total$/,
    })
  }
})
