import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { programs } from '../../bench/chaos/postgres.ts'
import { root } from '../../src/core/config/config.ts'
import { needs } from '../needs.ts'
import { run } from './program.ts'

const skip = needs(join(programs, 'initdb')).skip || needs('redis-server').skip

test('no event is lost or duplicated while processes, Postgres and Redis fail', { skip }, async context => {
  const faults = 'kill,postgres,terminate,redis,network-receivers'
  // A fixed seed. The long form of the bench tries others.
  const options = `--seed 11 --seconds 12 --rate 40 --projects 2 --faults ${faults}`.split(' ')
  const bench = run(process.execPath, [join(root, 'bench/main.ts'), 'chaos', ...options])
  context.after(() => void bench.child.kill())
  // Before the test's own time limit, which would not show what the bench printed.
  const limit = setTimeout(() => bench.child.kill(), 240_000)
  context.after(() => clearTimeout(limit))
  const { status, stdout, stderr } = await bench.ended
  assert.equal(status, 0, `${stdout}\n${stderr}`)
  assert.match(stdout, /seed \d+: nothing lost or invented/)
})
