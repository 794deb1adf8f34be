import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../../src/core/config.ts'
import { makeFolder, run } from './program.ts'

/**
 * These benches still find out what they are for: those that reach deepest into the code, in a form of seconds. Figures are
 * not judged: other tests have the machine too. Chaos and cluster have tests of their own beside this.
 */
const short: Record<string, string> = {
  delivery: '--seconds 1 --only latency,fan',
  inbox: '--tickets 1000 --messages 5000 --runs 1',
  records: '--tickets 1000 --runs 1 --only claim|look|job',
}

const keptBetweenRuns = ['inbox', 'records']

for (const [name, options] of Object.entries(short)) {
  test(`bin/bench ${name} finds out what it is for`, async context => {
    const folder = keptBetweenRuns.includes(name) ? ['--dir', makeFolder(context)] : []
    const args = [join(root, 'bench/main.ts'), name, ...options.split(' '), ...folder]
    const bench = run(process.execPath, args)
    context.after(() => void bench.child.kill())
    const { status, stdout, stderr } = await bench.ended
    assert.ok(status === 0 || status === 1, `ended with ${status}\n${stdout}\n${stderr}`)
    assert.notEqual(stdout, '')
  })
}
