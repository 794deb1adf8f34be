import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../../src/core/config.ts'
import { makeFolder, run } from './program.ts'

/**
 * These benches still find out what they are for. Figures are not judged: other tests have the machine too. Left out are
 * those that take longer than half a minute even so; and chaos and cluster, which have tests of their own beside this.
 */
const short: Record<string, string> = {
  billing: '--histories 20 --workers 1',
  delivery: '--seconds 1 --only latency,fan',
  growth: '--tickets 2000 --messages 10000 --runs 1 --only ^contacts',
  idle: '--seconds 1 --starts 1',
  inbox: '--tickets 1000 --messages 5000 --runs 1',
  ledger: '--events 300',
  records: '--tickets 1000 --runs 1 --only claim|look|job',
}

const keptBetweenRuns = ['growth', 'inbox', 'records']

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
