import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countJobRuns, describeFailingJobs } from './job-runs.ts'

/** Fails for projects whose name begins with `bad`. */
const run = async (project: string): Promise<void> => assert.ok(!project.startsWith('bad'), 'no space')
const roles = new Set(['jobs'] as const)
const describe = () => describeFailingJobs({ roles } as unknown as Parameters<typeof describeFailingJobs>[0])

test('reports a job that fails for one project, even if it succeeds for others', async () => {
  const job = countJobRuns('tried', run, 'when due', project => project)
  for (const _ of [1, 2, 3]) {
    assert.match(describe(), /none is failing/)
    await job('good')
    await assert.rejects(job('bad 1'))
    await job('good')
  }
  assert.throws(describe, /"tried" has failed 3 times in a row for project bad 1 \(no space\); see the log/)
  for (const _ of [1, 2, 3]) await assert.rejects(job('bad 2'))
  assert.throws(describe, /for project bad 1, one of 2 projects \(no space\)/)
})

test('does not report a job that finally succeeds for the project, in this process or another', async context => {
  let isBroken = true
  const job = countJobRuns(
    'tried',
    async (project: string) => assert.ok(!isBroken, project),
    'when due',
    id => id,
  )
  for (const _ of [1, 2, 3]) for (const project of ['here', 'there']) await assert.rejects(job(project))
  isBroken = false
  await job('here')
  assert.throws(describe, /for project there \(/)
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() + 1_000_000 })
  assert.match(describe(), /none is failing/)
})

test('a job that fails for any number of projects takes bounded memory', async () => {
  const job = countJobRuns('tried', run, 'when due', project => project)
  for (const _ of [1, 2, 3]) for (let n = 0; n < 1_100; n++) await assert.rejects(job(`bad ${n}`))
  assert.throws(describe, /for project bad 0, one of 1000 projects/)
})
