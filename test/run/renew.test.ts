import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { choosePlan, createProjectOnPlan } from '../../src/billing/choose-plan.ts'
import type { Db } from '../../src/core/db/db.ts'
import { give, passTime, putPlans } from '../billing/price-list.ts'
import { unique } from '../cast.ts'
import { createDatabase } from '../database.ts'
import { until } from '../until.ts'
import { makeFolder, spawnServer, stopServer } from './program.ts'

const price = 2900
const projects = 100

/** A project whose paid period has ended, and whose balance covers two more. */
async function makeDue(db: Db): Promise<void> {
  const project = await db.begin(tx => createProjectOnPlan(tx, { name: unique(), plan: 'free' }))
  await give(db, project, price * 3)
  await choosePlan(db, project.id, 'team')
  await passTime(db, project, '32 days')
}

const countWhere = async (rows: Promise<{ count: number }[]>): Promise<number> => (await rows)[0]!.count

const countDue = (db: Db) =>
  countWhere(db`select count(*)::int as count from subscriptions where expires_at <= now()`)

/** The number of processes that wait for the query of due work. */
const countWaiting = (db: Db) =>
  countWhere(db`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'
      and query like '%with w as materialized%'`)

test('two processes that find ended plans at the same moment charge each once', async t => {
  const { db, target, drop } = await createDatabase()
  t.after(drop)
  await putPlans(db)
  await Promise.all(Array.from({ length: projects }, () => makeDue(db)))
  const shared = {
    DATABASE_URL: `postgres://${target.user}@localhost/${target.database}?host=${target.host}`,
    SECRET_KEY: randomBytes(32).toString('hex'),
    ROLES: 'jobs',
  }
  const start = () => spawnServer(t, { ...shared, DATA_DIR: makeFolder(t) })
  const processes = await db.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`lock table subscriptions in access exclusive mode`
    const started = [start(), start()]
    await until(async () => (await countWaiting(db)) === 2, 120)
    return started
  })
  await until(async () => (await countDue(db)) === 0, 60)
  for (const process of processes) assert.equal((await stopServer(process)).status, 0, process.stderr)

  const charges = await db`
    select count(*)::int as periods, sum(amount)::int as paid from balance_entries where cause = 'plan'
    group by project_id`
  assert.equal(charges.length, projects)
  for (const charge of charges) assert.deepEqual({ ...charge }, { periods: 2, paid: -2 * price })
  const renewed = await db`
    select count(*)::int as events from events where type = 'billing.plan_renewed' group by project_id`
  assert.equal(renewed.length, projects)
  for (const { events } of renewed) assert.equal(events, 1)
})
