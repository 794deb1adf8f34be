import { createProjectOnPlan } from '../../src/billing/choose-plan.ts'
import { findAccount } from '../../src/billing/ledger.ts'
import { findPlanStatus } from '../../src/billing/subscription.ts'
import { findUsage } from '../../src/billing/usage.ts'
import type { Db, Sql } from '../../src/core/db/db.ts'
import { UserError } from '../../src/core/user-error.ts'
import type { HistoryTx } from './steps.ts'
import { limitNow, type ModelEvent, Refused, type World } from './world.ts'

/** The visible state of a project, in the database and in the model. */

export interface Seen {
  plan: string
  expires_at: string | null
  is_trial: boolean | null
  auto_renew: boolean | null
  next_plan: string | null
  balance: number | null
  sum: number
  limit: number | null
  events: ModelEvent[]
}

export async function look(sql: Sql, projectId: string, events: ModelEvent[]): Promise<Seen> {
  const { plan, subscription } = await findPlanStatus(sql, projectId)
  const account = await findAccount(sql, projectId)
  const [row] = await sql<{ sum: number }[]>`
    select coalesce(sum(amount), 0)::bigint as sum from balance_entries where project_id = ${projectId}`
  return {
    plan,
    expires_at: subscription?.expires_at ?? null,
    is_trial: subscription?.is_trial ?? null,
    auto_renew: subscription?.auto_renew ?? null,
    next_plan: subscription?.next_plan ?? null,
    balance: account?.balance ?? null,
    sum: row!.sum,
    limit: (await findUsage(sql, projectId)).limit,
    events: events.map(withoutIds),
  }
}

/** The model has no ids. */
function withoutIds({ type, data }: ModelEvent): ModelEvent {
  const { payment_id: _, order_id: __, ...rest } = data
  return { type, data: rest }
}

export function expect(world: World): Seen {
  const { plan, subscription, balance } = world
  return {
    plan,
    expires_at: subscription ? world.print(subscription.end) : null,
    is_trial: subscription?.isTrial ?? null,
    auto_renew: subscription?.autoRenew ?? null,
    next_plan: subscription?.next ?? null,
    balance,
    sum: balance ?? 0,
    limit: limitNow(world),
    events: world.events,
  }
}

/** Whether the action was refused. */
export async function isRefused(act: () => unknown): Promise<boolean> {
  try {
    await act()
    return false
  } catch (error) {
    if (error instanceof UserError || error instanceof Refused) return true
    throw error
  }
}

export const openTx = async (sql: Sql, code: string, events: ModelEvent[]): Promise<HistoryTx> => {
  const { id } = await createProjectOnPlan(sql, { name: 'Acme', plan: code })
  return Object.assign(sql, {
    projectId: id,
    orders: [],
    emit: (...more: ModelEvent[]) => void events.push(...more),
    afterCommit: () => {},
  }) as unknown as HistoryTx
}

class Rollback extends Error {}

/** Runs work in a transaction, and rolls it back. */
export async function withoutTrace(db: Db, work: (sql: Sql) => Promise<void>): Promise<void> {
  await db
    .begin(async sql => {
      await work(sql)
      throw new Rollback()
    })
    .catch(error => {
      if (!(error instanceof Rollback)) throw error
    })
}
