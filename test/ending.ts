import { after, afterEach, beforeEach, type TestContext } from 'node:test'
import { closeWindows, keepOpenWindows } from './open-pages.ts'

/**
 * Comes before every file of tests. What a hook had opened before it failed, nobody closes: the file would stay until the
 * run is ended. Not `--test-force-exit`, which leaves out tests that are declared while others have ended.
 */

/** Milliseconds that hooks have to close what they opened, after one of them failed. */
const graceMs = 3_000

let isBroken = false

// The process that begins the files loads this too.
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
