import assert from 'node:assert/strict'
import fc from 'fast-check'
import { putPlan } from '../../src/billing/put-plan.ts'
import type { Db, Sql } from '../../src/core/db/db.ts'
import { expect, isRefused, look, openTx, withoutTrace } from './histories.ts'
import { putPlans } from './price-list.ts'
import { beginnings, type Step, steps } from './steps.ts'
import { acts, type ModelEvent, type ModelPlan, type World } from './world.ts'

/** The plans as the model knows them, and two more: one in another currency, and a free one for sale. */
const plans = (): Record<string, ModelPlan> => {
  const plan = (limit: number | null, price = 0, isOffered = true): ModelPlan => ({
    ...{ limit, price, isOffered },
    ...{ currency: 'EUR', months: 1 },
  })
  return {
    unlimited: plan(null, 0, false),
    free: plan(10),
    basic: plan(20),
    team: plan(100, 2900),
    firm: { ...plan(1000, 29000), months: 12 },
    dollar: { ...plan(50, 1500), currency: 'USD' },
    trial: plan(null, 0, false),
  }
}

export async function putModelPlans(db: Db): Promise<void> {
  await putPlans(db)
  await putPlan(db, { code: 'basic', name: 'Basic', monthly_ticket_limit: 20, is_for_sale: true })
  await putPlan(db, {
    ...{ code: 'dollar', name: 'Dollar', monthly_ticket_limit: 50 },
    ...{ price: 1500, currency: 'USD', is_for_sale: true },
  })
}

async function openWorld(sql: Sql): Promise<World> {
  const [row] = await sql<{ now: string }[]>`select now() as now`
  const micros = row!.now.slice(23)
  const print = (time: number) => `${new Date(time).toISOString().slice(0, 23)}${micros}`
  const now = Date.parse(`${row!.now.slice(0, 23)}Z`)
  return { now, print, plans: plans(), plan: '', subscription: null, balance: null, orders: [], events: [] }
}

async function runHistory(sql: Sql, code: string, history: Step[]): Promise<void> {
  const world = await openWorld(sql)
  const events: ModelEvent[] = []
  const tx = await openTx(sql, code, events)
  acts.open(world, code)
  for (const { name, model, real } of history) {
    const wanted = await isRefused(() => model(world))
    assert.equal(await isRefused(() => real(tx)), wanted, `${name} is refused`)
    assert.deepEqual(await look(tx, tx.projectId, events), expect(world), name)
  }
}

/** Runs random histories against the model, and throws the shortest one that differs. */
export const runHistories = (db: Db, numRuns: number, seed?: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(beginnings, steps, (code, history) =>
      withoutTrace(db, sql => runHistory(sql, code, history)),
    ),
    { numRuns, ...(seed !== undefined && { seed }) },
  )
