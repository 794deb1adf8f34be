import { insertLedgerEntry } from '../../src/billing/ledger.ts'
import { putPlan } from '../../src/billing/put-plan.ts'
import type { Db, Sql } from '../../src/core/db/db.ts'
import { type Member, unique } from '../cast.ts'
import { startServer, type TestServer } from '../server.ts'

/** Helpers for billing tests: plans, money and the passing of time. */

/** Creates a free entry plan, two paid plans, and a trial that becomes the first of them. */
export async function putPlans(db: Db): Promise<void> {
  await putPlan(db, { code: 'free', name: 'Free', monthly_ticket_limit: 10, is_entry: true })
  await putPlan(db, {
    ...{ code: 'team', name: 'Team', monthly_ticket_limit: 100, operator_seats: 5 },
    ...{ price: 2900, currency: 'EUR', rank: 1, is_for_sale: true },
  })
  await putPlan(db, {
    ...{ code: 'firm', name: 'Firm', monthly_ticket_limit: 1000, price: 29000, currency: 'EUR' },
    ...{ period: 'year', rank: 2, is_for_sale: true },
  })
  await putPlan(db, { code: 'trial', name: 'Trial', trial_days: 14, becomes: 'team' })
}

/** Starts a server without deliveries, with the plans. */
export async function startPricedServer(): Promise<TestServer> {
  const server = await startServer({ delivers: false })
  await putPlans(server.db)
  return server
}

export const give = (db: Db, { id }: Pick<Member, 'id'>, amount: number) =>
  db.begin(tx =>
    insertLedgerEntry(tx, id, { amount, currency: 'EUR', cause: 'credit', key: unique(), by: 'test' }),
  )

/** Moves a project's paid periods into the past by changing the data, not the clock. */
export async function passTime(sql: Sql, { id }: Pick<Member, 'id'>, interval: string): Promise<void> {
  await sql`update plan_periods set starts_at = starts_at - ${interval}::interval, ends_at = ends_at - ${interval}::interval
    where project_id = ${id}`
  await sql`update subscriptions set anchor = anchor - ${interval}::interval, expires_at = expires_at - ${interval}::interval
    where project_id = ${id}`
}
