import { after, afterEach, type TestContext } from 'node:test'

/**
 * Comes before every file of tests. What a hook had opened before it failed, nobody closes: the file would stay until the
 * run is ended. Not `--test-force-exit`, which leaves out tests that are declared while others have ended.
 */

/** Milliseconds for hooks of the file that close something all the same. */
const grace = 3_000

let isBroken = false

// The process that begins the files loads this too.
if (process.env.NODE_TEST_CONTEXT) {
  afterEach(test => {
    const error = (test as TestContext).error as { failureType?: string } | null
    isBroken ||= error?.failureType === 'hookFailed'
  })
  after(() => {
    if (isBroken) setTimeout(() => process.exit(1), grace).unref()
  })
}
