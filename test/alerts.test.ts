import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, beforeEach, type TestContext, test } from 'node:test'
import { parse } from 'yaml'
import { measureFetching } from '../src/channels/email/mailboxes/mailbox-metrics.ts'
import { root } from '../src/core/config/config.ts'
import { connect } from '../src/core/db/db.ts'
import { measurePool } from '../src/core/db/pools.ts'
import { noteDue } from '../src/core/due/due-work.ts'
import { createMailer } from '../src/core/mail/mail.ts'
import { printMetrics } from '../src/core/telemetry/metrics.ts'
import { measureInstallation } from '../src/installation-metrics.ts'
import { startJobs } from '../src/jobs.ts'
import { recordBackupTime } from '../src/last-backup.ts'
import { watchReadiness } from '../src/readiness.ts'
import { measureQueue } from '../src/webhooks/delivery-metrics.ts'
import { makeMailbox, storeMail } from './mail.ts'
import { complaints, parseScrape } from './promql.ts'
import { startServer } from './server.ts'
import { mountDisk } from './small-disk.ts'
import { until } from './until.ts'
import { upload } from './upload.ts'

/** Each alert rule in docs/operations.md fires when its subject is broken, and not before. */

interface Rule {
  alert: string
  expr: string
}

const page = readFileSync(join(root, 'docs/operations.md'), 'utf8')
const rules = parse(/```yaml\n(groups:.*?)```/s.exec(page)![1]!).groups[0].rules as Rule[]

/**
 * These cannot be triggered within a process: they are about a process that is gone or a machine at its
 * limit.
 */
const untested = ['DeskbellDown', 'DeskbellSlow', 'DeskbellBusy']

const server = await startServer({ delivers: false, config: { rateLimitStore: 'postgres' } })
const { api, db, config, acme } = server
mkdirSync(config.dataDir, { recursive: true })
recordBackupTime(config.dataDir)
const jobs = startJobs(server)
const readiness = watchReadiness(server)
const undo = [
  measureInstallation(config, db),
  measurePool('api', db),
  measureQueue(db, () => 0),
  measureFetching(db),
  () => readiness.stop(),
  () => jobs.stop(),
  () => server.close(),
]
after(async () => {
  for (const step of undo) await step()
})

let healthy: string
beforeEach(async () => {
  healthy = await printMetrics()
})

const now = () => Date.now() / 1_000

const listFiring = (scrape: string, at = now()) =>
  rules
    .filter(({ alert }) => !untested.includes(alert))
    .map(({ alert, expr }) => ({
      alert,
      found: complaints(expr, { before: healthy, after: scrape, now: at }),
    }))
    .filter(({ found }) => found.length > 0)

async function untilFires(alert: string) {
  return until(async () => listFiring(await printMetrics()).find(one => one.alert === alert)?.found)
}

async function without(context: TestContext, table: string): Promise<void> {
  await db.unsafe(`alter table ${table} rename to gone`)
  context.after(() => db.unsafe(`alter table gone rename to ${table}`))
}

/** Makes this many calls wait for a locked table. */
async function lockTags(context: TestContext, count: number): Promise<void> {
  const other = connect(server.target, { max: 1 })
  const { promise, resolve } = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holding = other.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`lock table tags`
    locked.resolve()
    await promise
  })
  await locked.promise
  const calls = Array.from({ length: count }, () => api.get('/tags'))
  context.after(async () => {
    resolve()
    await Promise.all([holding, ...calls])
    await other.end()
  })
}

/** Breaks the subject of each rule. */
const breaks: Record<string, (context: TestContext) => Promise<unknown>> = {
  DeskbellDeliveriesLate: () => db`
    with w as (insert into webhooks (project_id, id, url, secret)
      values (${acme.id}, gen_random_uuid(), 'http://127.0.0.1:9', '') returning *)
    insert into webhook_queue (project_id, webhook_id, id, event_id, event_type, is_test, run_at, created_at)
    select project_id, id, gen_random_uuid(), gen_random_uuid(), 'webhook.test', true, now() - interval '5 minutes', now()
    from w`,
  async DeskbellErrors(context) {
    await without(context, 'tags')
    const answers = await Promise.all(Array.from({ length: 40 }, () => api.get('/tags')))
    assert.ok(answers.every(({ status }) => status === 500))
  },
  async DeskbellUnlimited(context) {
    await without(context, 'rate_windows')
    assert.equal((await api.get('/tags')).status, 200)
  },
  DeskbellNotReady: context => lockTags(context, 1),
  DeskbellWaitsForDatabase: context => lockTags(context, 60),
  async DeskbellJobFails(context) {
    await without(context, 'exports')
    await noteDue(db, acme.id, 'exports')
  },
  async DeskbellMailboxBroken(context) {
    const { id } = await makeMailbox(server, { imapPort: 9 })
    await db`update mailboxes set state = 'broken' where id = ${id}`
    context.after(() => db`update mailboxes set state = 'paused' where id = ${id}`)
  },
  async DeskbellReceivedMailLate(context) {
    const id = await storeMail(server, acme)
    await db`update incoming_mails set created_at = now() - interval '10 minutes' where id = ${id}`
    context.after(() => db`update incoming_mails set state = 'done' where id = ${id}`)
  },
  async DeskbellMailFails() {
    const mailer = createMailer({ smtpUrl: 'smtp://127.0.0.1:9', mailFrom: 'desk@example.com' })!
    await assert.rejects(mailer.send({ id: 'x', to: ['ann@example.com'], subject: 'x', text: 'x' }))
  },
  async DeskbellStorageFails(context) {
    const folder = join(config.dataDir, 'files/incoming')
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(join(config.dataDir, 'files'), { recursive: true })
    writeFileSync(folder, 'a file instead of a folder')
    context.after(() => rmSync(folder))
    assert.equal((await upload(api, { content: 'x' })).status, 502)
  },
  async DeskbellRequestsUnlogged(context) {
    await without(context, 'api_requests')
    assert.equal((await api.get('/tags')).status, 200)
  },
  async DeskbellRetentionBehind(context) {
    await db`
      insert into events (project_id, seq, id, type, data, created_at)
      values (${acme.id}, 1, gen_random_uuid(), 'webhook.test', '{}', now() - interval '40 days')`
    context.after(() => db`delete from events where project_id = ${acme.id}`)
  },
  async DeskbellBackupOld(context) {
    recordBackupTime(config.dataDir, new Date(Date.now() - 3 * 86_400_000))
    context.after(() => recordBackupTime(config.dataDir))
  },
}

/**
 * Waits until none of these alerts fires. On a busy machine, the database may once answer later than requests wait for
 * their count, or than the check of readiness does, which is worth an alert.
 */
const untilQuiet = (isMeant: (alert: string) => boolean) =>
  until(async () => {
    healthy = await printMetrics()
    await api.get('/tags')
    return !listFiring(await printMetrics()).some(({ alert }) => isMeant(alert))
  })

test('no alert fires on a healthy installation', async () => {
  await untilQuiet(() => true)
})

for (const [alert, break_] of Object.entries(breaks)) {
  test(`${alert} fires when its subject is broken`, async context => {
    await untilQuiet(one => one === alert)
    await break_(context)
    await untilFires(alert)
  })
}

test('DeskbellJobLate names only the job that has not succeeded for an hour', async context => {
  const late = 'check for due work'
  await without(context, 'due_work')
  const stampOf = (scrape: string, job: string) =>
    parseScrape(scrape).find(
      one => one.name === 'deskbell_job_last_success_timestamp_seconds' && one.labels.job === job,
    )!.value
  const scrape = await until(async () => {
    const text = await printMetrics()
    return stampOf(text, 'analyse grown tables') > stampOf(text, late) + 2 ? text : null
  })
  const { expr } = rules.find(({ alert }) => alert === 'DeskbellJobLate')!
  const moment = { before: healthy, after: scrape, now: stampOf(scrape, late) + 3_600.5 }
  assert.deepEqual(
    complaints(expr, moment).filter(({ job }) => [late, 'analyse grown tables'].includes(job!)),
    [{ job: late }],
  )
})

test('DeskbellDiskSmall and DeskbellDatabaseLarge fire on a disk that is too small', async context => {
  const disk = mountDisk(context, 1_024)
  if (!disk) return context.skip('only root mounts a small disk')
  writeFileSync(join(disk, 'large'), Buffer.alloc(1_000_000))
  recordBackupTime(disk)
  const remeasure = measureInstallation({ ...config, dataDir: disk }, db)
  context.after(() => {
    remeasure()
    measureInstallation(config, db)
  })
  await untilFires('DeskbellDiskSmall')
  await untilFires('DeskbellDatabaseLarge')
})

test('every alert rule is tested', () => {
  const tested = [...Object.keys(breaks), ...untested]
  const apart = ['DeskbellJobLate', 'DeskbellDiskSmall', 'DeskbellDatabaseLarge']
  assert.deepEqual(rules.map(({ alert }) => alert).sort(), [...tested, ...apart].sort())
})
