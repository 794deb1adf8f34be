import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { root } from '../../src/core/config.ts'
import { needs } from '../needs.ts'
import { makeFolder, run } from './program.ts'

/** Benches still find out what they are for, in a form of seconds. Figures are not judged: other tests have the machine too. */
const short: Record<string, string> = {
  billing: '--histories 20 --workers 1',
  churn: '--minutes 0.1 --tickets 40',
  delivery: '--seconds 1 --only latency,fan',
  files: '--only broken',
  growth: '--tickets 2000 --messages 8000 --runs 1 --only ^tickets.\\?status=open',
  http: '--seconds 1 --rounds 1 --connections 8 --tickets 20',
  idle: '--seconds 1 --starts 1',
  inbox: '--tickets 1000 --messages 5000 --runs 1',
  injection: '--each 60 --only GET./tickets/\\{ticket_id\\}.path',
  leaving: '--only waits --polls 5',
  ledger: '--events 300',
  limits: '--seconds 0.2 --rounds 1 --pace 1 --calls 600',
  live: '--tabs 40 --seconds 1',
  load: '--seconds 1 --only mixed --rate 100 --waiting 8 --tickets 40',
  page: '--tickets 300 --rounds 1 --switches 2',
  records: '--tickets 1000 --runs 1 --only claim|look|job',
  requests: '--seconds 0.3 --rounds 1 --connections 8 --tickets 20',
  updates: '--only tell --seconds 1',
  webhooks: '--only stops --stops 3',
  widget: '--widgets 40 --seconds 1',
}

const keptBetweenRuns = ['growth', 'inbox', 'page', 'records']

/** Of these a promise that is not kept is a fault, however busy the machine is. */
const exact = ['billing', 'injection', 'ledger']

/** What some of them start. */
const programs: Record<string, string> = { injection: 'sqlmap', page: 'chromium' }

/** They have tests of their own beside this. */
const elsewhere = ['chaos', 'cluster']

/** No bench: it makes the data of others. */
const data = 'seed'

const folders = globSync('bench/*/main.ts', { cwd: root }).map(path => dirname(path).slice('bench/'.length))

test('every bench has a short form here, or a test elsewhere', () => {
  const known = [...Object.keys(short), ...elsewhere, data]
  assert.deepEqual(folders.sort(), known.sort())
})

// Most of them wait most of their time.
describe('benches', { concurrency: 3 }, () => {
  for (const [name, options] of Object.entries(short)) {
    const program = programs[name]
    const setting = program ? needs(program) : {}
    test(`bin/bench ${name} finds out what it is for`, setting, async context => {
      const folder = keptBetweenRuns.includes(name) ? ['--dir', makeFolder(context)] : []
      const args = [join(root, 'bench/main.ts'), name, ...options.split(' '), ...folder]
      const bench = run(process.execPath, args)
      context.after(() => void bench.child.kill())
      const { status, stdout, stderr } = await bench.ended
      const isFine = status === 0 || (status === 1 && !exact.includes(name))
      assert.ok(isFine, `ended with ${status}\n${stdout}\n${stderr}`)
      assert.notEqual(stdout, '')
    })
  }
})
