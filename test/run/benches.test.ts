import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { root } from '../../src/core/config.ts'
import { needs } from '../needs.ts'
import { makeFolder, run } from './program.ts'

/** Every bench still finds out what it is for, in a form of seconds. Figures are not judged: other tests have the machine too. */
const short: Record<string, string> = {
  billing: '--histories 20 --workers 1',
  churn: '--minutes 0.1 --tickets 40',
  delivery: '--seconds 1 --only latency,fan',
  files: '--only broken',
  growth: '--tickets 2000 --messages 10000 --runs 1 --only ^contacts',
  http: '--seconds 1 --rounds 1 --connections 4',
  idle: '--seconds 1 --starts 1',
  inbox: '--tickets 1000 --messages 5000 --runs 1',
  leaving: '--only waits --polls 5',
  ledger: '--events 300',
  limits: '--seconds 0.2 --rounds 1',
  live: '--tabs 40 --seconds 1',
  load: '--seconds 0.5 --only mixed --rate 50 --waiting 10 --file 100000',
  page: '--tickets 500 --rounds 1 --switches 2',
  records: '--tickets 1000 --runs 1 --only claim|look|job',
  requests: '--seconds 0.2 --rounds 1 --connections 4',
  updates: '--clients 50 --seconds 0.3 --only tell',
  webhooks: '--only stops --stops 3',
  widget: '--widgets 40 --seconds 1',
}

const keptBetweenRuns = ['growth', 'inbox', 'page', 'records']

/** The first two have tests of their own beside this; sqlmap is no part of CI; `seed` is none, but makes the data of others. */
const elsewhere = ['chaos', 'cluster', 'injection', 'seed']

const folders = globSync('bench/*/main.ts', { cwd: root }).map(path => dirname(path).slice('bench/'.length))

test('every bench has a short form', () => {
  const known = [...Object.keys(short), ...elsewhere]
  assert.deepEqual(folders.sort(), known.sort())
})

// Most of their time they wait.
describe('benches', { concurrency: 3 }, () => {
  for (const [name, options] of Object.entries(short)) {
    const need = name === 'page' ? needs('chromium') : {}
    test(`bin/bench ${name} finds out what it is for`, need, async context => {
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
