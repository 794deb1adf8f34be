import { after, afterEach, beforeEach, type TestContext } from 'node:test'
import { closeWindows, keepOpenWindows } from './open-pages.ts'

/**
 * Loaded before every test file. If a hook fails, nothing closes what it had opened, and the process would
 * stay until the run ends. `--test-force-exit` does not help, because it skips tests that are declared after
 * others have ended.
 */

/** Milliseconds in which hooks can close their resources after one of them failed. */
const graceMs = 3_000

let isBroken = false

// The process that starts the files loads this module too.
if (process.env.NODE_TEST_CONTEXT) {
  beforeEach(keepOpenWindows)
  afterEach(async test => {
    const context = test as TestContext
    const error = context.error as { failureType?: string } | null
    isBroken ||= error?.failureType === 'hookFailed'
    await closeWindows(context)
  })
  after(() => {
    if (isBroken) setTimeout(() => process.exit(1), graceMs).unref()
  })
}
