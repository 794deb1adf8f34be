import assert from 'node:assert/strict'
import type { Outcome } from './program.ts'

/** The exit status that tells a supervisor not to restart before a setting is corrected. */
const wrongSetting = 78

/** Checks for exactly one sentence that names the setting. */
export function assertRefused(
  { status, stdout, stderr }: Outcome,
  setting: string,
  expected = wrongSetting,
): void {
  assert.equal(status, expected)
  assert.equal(stdout, '')
  assert.equal(stderr.trimEnd().split('\n').length, 1, stderr)
  assert.ok(stderr.startsWith(`${setting}: `), stderr)
  assert.doesNotMatch(stderr, /at .*:\d+:\d+/)
}
