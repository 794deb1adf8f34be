import type { Sql } from '../core/db/db.ts'
import { type BillingAccount, insertLedgerEntry, lockAccount } from './ledger.ts'
import type { Hundredths } from './money.ts'
import { costsNothing, type Plan } from './plans.ts'

/** The balance that can pay for a plan: 0 if the account has another currency. */
export function balanceFor(account: BillingAccount | null, plan: Plan): Hundredths {
  if (!account) return 0
  return costsNothing(plan) || account.currency === plan.currency ? account.balance : 0
}

/** Locks the account, and compares its balance with the plan's price. */
export async function compareBalance(sql: Sql, projectId: string, plan: Plan) {
  const balance = balanceFor(await lockAccount(sql, projectId), plan)
  return {
    balance,
    shortfall: Math.max(plan.price - balance, 0),
    isEnough: costsNothing(plan) || balance >= plan.price,
  }
}

interface Period {
  /** The id of the subscription. */
  id: string
  /** How many months were paid for before. */
  months: number
  from: string
  to: string
}

const dayOf = (time: string): string => time.slice(0, 10)

/** Charges the price of one period, once for each period. Returns the new balance. */
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
