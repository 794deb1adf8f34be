import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { tablesOfProjects } from '../test/conventions/statements.ts'
import { parseScrape } from '../test/promql.ts'
import { startServer, type TestServer } from '../test/server.ts'
import { until } from '../test/until.ts'
import type { Db } from './core/db/db.ts'
import { noteMissing } from './core/due/due-work.ts'
import { printMetrics } from './core/telemetry/metrics.ts'
import { startJobs } from './jobs.ts'
import { createProject } from './projects/projects.ts'

let server: TestServer
let jobs: ReturnType<typeof startJobs>
before(async () => {
  server = await startServer()
  for (let n = 0; n < 20; n++) await createProject(server.db, { name: `Project ${n}` })
  jobs = startJobs(server)
})
after(async () => {
  await jobs.stop()
  await server.close()
})

const ofProjects = new RegExp(`\\b(?:${[...tablesOfProjects].join('|')})\\b`)

/** Returns the queries about rows of projects during this many seconds, and the seconds that really passed. */
async function listAsked(db: Db, seconds: number) {
  const asked: string[] = []
  const options = db.options as { debug: unknown }
  const begun = performance.now()
  options.debug = (_connection: number, statement: string) => asked.push(statement)
  await sleep(seconds * 1_000)
  options.debug = false
  const passed = (performance.now() - begun) / 1_000
  return { asked: asked.filter(statement => ofProjects.test(statement)), passed }
}

/** Whether each job that runs regularly has run. */
async function haveAllRun(): Promise<boolean> {
  const series = parseScrape(await printMetrics())
  const regular = series.filter(({ name }) => name === 'deskbell_job_last_success_timestamp_seconds')
  const ran = series.filter(({ name, value }) => name === 'deskbell_job_runs_total' && value > 0)
  return regular.every(({ labels }) => ran.some(one => one.labels.job === labels.job))
}

test('an idle process asks at most two statements a second about rows of projects', async () => {
  // Otherwise all jobs that run once a minute would run within the ten seconds.
  await sleep(3_000)
  await until(haveAllRun)
  const { asked, passed } = await listAsked(server.db, 10)
  assert.ok(asked.length > 0)
  assert.ok(asked.length <= 2 * passed, `${asked.length} in ${passed} s:\n${[...new Set(asked)].join('\n')}`)
})

test('all waiting work has a row in the table of due work', async () => {
  const { api, db } = server
  const at = new Date(Date.now() + 3_600_000).toISOString()
  const { body: ticket } = await api.post('/tickets', { contact: { email: 'ann@example.com' } })
  await api.post(`/tickets/${ticket.id}/messages`, { content: 'Later', send_at: at })
  await api.post(`/tickets/${ticket.id}/messages`, { content: 'Later', send_at: at, external_id: 'x' })
  await api.patch(`/tickets/${ticket.id}`, { status: 'on_hold', snoozed_until: at })
  const kinds = () => db<{ kind: string }[]>`
    select kind from due_work where project_id = ${server.acme.id} and due_at > now() + interval '59 minutes' order by kind`
  await until(async () => (await kinds()).length > 1)
  assert.deepEqual(
    (await kinds()).map(one => one.kind),
    ['messages', 'snoozes'],
  )
  const rows = await db`select from due_work where project_id = ${server.rival.id}`
  assert.equal(rows.length, 0)
})

test('finds and does work that an older version has written without a row', async () => {
  const { api, db } = server
  const { body: ticket } = await api.post('/tickets', { contact: { email: 'ann@example.com' } })
  await db`
    update tickets set status = 'on_hold', snoozed_until = now()
    where project_id = ${server.acme.id} and id = ${ticket.id}`
  await db`delete from due_work where kind = 'snoozes'`
  await noteMissing(
    db,
    db`select 'snoozes' as kind, project_id, project_id as subject_id, snoozed_until as due_at
      from tickets where snoozed_until is not null`,
  )
  await until(async () => (await api.get(`/tickets/${ticket.id}`)).body.status === 'open')
})
