import { SetupError } from '../core/config/setup-error.ts'
import type { Sql } from '../core/db/db.ts'
import { toNumber } from './money.ts'
import { disputedStatuses, type Payment } from './payments.ts'

/** Billing data of all projects, for the host of the installation. */

export const orderStatuses = ['waiting', 'disputed', 'received', 'failed'] as const
export type OrderStatus = (typeof orderStatuses)[number]

interface Listed extends Payment {
  project: string
  standing: OrderStatus
}

/** Orders of all projects, oldest first. */
export async function listOrders(sql: Sql, status?: OrderStatus) {
  const orders = await sql<Listed[]>`
    select * from (
      select y.*, p.name as project, case
          when y.status = 'received' then 'received'
          when starts_with(y.reason, ${disputedStatuses}) then 'disputed'
          when y.status = 'pending' then 'waiting'
          else 'failed' end as standing
      from payments y join projects p on p.id = y.project_id
    ) listed
    where ${status ?? null}::text is null or standing = ${status ?? null}
    order by created_at, id`
  return orders.map(order => ({
    created_at: order.created_at,
    order_id: order.order_id,
    status: order.standing,
    amount: toNumber(order.amount),
    currency: order.currency,
    gateway: order.gateway,
    project_id: order.project_id,
    project: order.project,
    expires_at: order.standing === 'waiting' ? order.expires_at : null,
    reason: order.reason,
  }))
}

/** The balance and the end of the plan of each project. */
export async function listBalances(sql: Sql) {
  const rows = await sql<
    { project_id: string; balance: number | null; currency: string | null; ends_at: string | null }[]
  >`
    select p.id as project_id, a.currency, s.expires_at as ends_at, case when a.currency is not null then coalesce((
      select e.balance_after from balance_entries e where e.project_id = p.id order by e.seq desc limit 1), 0) end as balance
    from projects p
    left join accounts a on a.project_id = p.id
    left join subscriptions s on s.project_id = p.id`
  return new Map(
    rows.map(({ project_id, balance, ...rest }) => [
      project_id,
      { balance: balance === null ? null : toNumber(balance), ...rest },
    ]),
  )
}

/** For the doctor: payments that arrived but were not credited to a balance. */
export async function describeDisputes(sql: Sql): Promise<string> {
  const disputed = await listOrders(sql, 'disputed')
  if (disputed.length === 0) return 'no payment is disputed'
  throw new SetupError(
    `${disputed.length} disputed: the payment differs from the order and was not credited; see deskbell billing orders --status disputed`,
  )
}
