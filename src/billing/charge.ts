import type { Sql } from '../core/db.ts'
import { type BillingAccount, insertLedgerEntry, lockAccount } from './ledger.ts'
import type { Hundredths } from './money.ts'
import { costsNothing, type Plan } from './plans.ts'

/** What an account holds for a plan: money of another currency counts for nothing. */
export function balanceFor(account: BillingAccount | null, plan: Plan): Hundredths {
  if (!account) return 0
  return costsNothing(plan) || account.currency === plan.currency ? account.balance : 0
}

/** Whether the balance covers the plan, under the lock of the account. */
export async function compareBalance(sql: Sql, projectId: string, plan: Plan) {
  const balance = balanceFor(await lockAccount(sql, projectId), plan)
  return {
    balance,
    shortfall: Math.max(plan.price - balance, 0),
    isEnough: costsNothing(plan) || balance >= plan.price,
  }
}

interface Period {
  /** Of the subscription. */
  id: string
  /** That were paid for before. */
  months: number
  from: string
  to: string
}

const dayOf = (time: string): string => time.slice(0, 10)

/** Takes the price of one period, once whoever asks; answers the balance then. */
export async function charge(
  sql: Sql,
  projectId: string,
  plan: Plan,
  { id, months, from, to }: Period,
): Promise<Hundredths> {
  if (!costsNothing(plan)) {
    const booked = await insertLedgerEntry(sql, projectId, {
      amount: -plan.price,
      currency: plan.currency!,
      cause: 'plan',
      key: `plan:${id}:${months}`,
      reference: `${plan.code} ${dayOf(from)} – ${dayOf(to)}`,
    })
    if (!booked) throw new Error(`The period of ${plan.code} from ${from} was charged before`)
  }
  return balanceFor(await lockAccount(sql, projectId), plan)
}
