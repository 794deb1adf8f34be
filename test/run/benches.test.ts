import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { root } from '../../src/core/config.ts'
import { makeFolder, run } from './program.ts'

/** Benches still find out what they are for, in a form of seconds. Figures are not judged: other tests have the machine too. */
const short: Record<string, string> = {
  billing: '--histories 20 --workers 1',
  churn: '--minutes 0.1 --tickets 40',
  delivery: '--seconds 1 --only latency,fan',
  files: '--only broken',
  idle: '--seconds 1 --starts 1',
  inbox: '--tickets 1000 --messages 5000 --runs 1',
  leaving: '--only waits --polls 5',
  ledger: '--events 300',
  live: '--tabs 40 --seconds 1',
  load: '--seconds 1 --only mixed --rate 100 --waiting 8',
  records: '--tickets 1000 --runs 1 --only claim|look|job',
  updates: '--only tell --seconds 1',
  webhooks: '--only stops --stops 3',
  widget: '--widgets 40 --seconds 1',
}

const keptBetweenRuns = ['inbox', 'records']

/** They have tests of their own beside this. */
const elsewhere = ['chaos', 'cluster']

/** Each takes 12 to 40 s of processor even so, of which CI has none to spare; sqlmap is no part of CI. */
const byHand = ['growth', 'http', 'injection', 'limits', 'page', 'requests']

/** No bench: it makes the data of others. */
const data = 'seed'

const folders = globSync('bench/*/main.ts', { cwd: root }).map(path => dirname(path).slice('bench/'.length))

test('every bench has a short form here, a test elsewhere, or is run by hand', () => {
  const known = [...Object.keys(short), ...elsewhere, ...byHand, data]
  assert.deepEqual(folders.sort(), known.sort())
})

// Most of their time they wait.
describe('benches', { concurrency: 3 }, () => {
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
})
