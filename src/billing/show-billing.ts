import type { Sql } from '../core/db/db.ts'
import { findAccount } from './ledger.ts'
import { toNumber } from './money.ts'
import { findShortfall } from './notices.ts'
import { listPayments, presentPayment } from './payments.ts'
import { isOffered, listPlans } from './plans.ts'
import { findPlanStatus } from './subscription.ts'
import { findTerms, findUsage } from './usage.ts'

/** The plan and balance, for a project's owner. */
export async function showBilling(sql: Sql, projectId: string) {
  const { plan, subscription } = await findPlanStatus(sql, projectId)
  const account = await findAccount(sql, projectId)
  const { operator_seats, features } = await findTerms(sql, projectId)
  return {
    project_id: projectId,
    plan,
    expires_at: subscription?.expires_at ?? null,
    is_trial: subscription?.is_trial ?? false,
    auto_renew: subscription?.auto_renew ?? null,
    next_plan: subscription?.next_plan ?? (subscription?.auto_renew ? subscription.becomes : null),
    balance: account ? toNumber(account.balance) : 0,
    currency: account?.currency ?? null,
    /** The amount missing for the next renewal; null if the balance covers it. */
    shortfall: await findShortfall(sql, projectId),
    operator_seats,
    features,
    tickets: await findUsage(sql, projectId),
    payments: (await listPayments(sql, projectId, 10)).map(presentPayment),
    offered: (await listPlans(sql)).filter(isOffered).map(({ code }) => code),
  }
}
export type BillingReport = Awaited<ReturnType<typeof showBilling>>
