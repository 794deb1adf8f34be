import { randomInt } from 'node:crypto'
import type { Db } from '../core/db/db.ts'
import { newId } from '../core/ids.ts'
import { UserError } from '../core/user-error.ts'
import { type DbOrTx, type Tx, transact } from '../events/transaction.ts'
import { findProject } from '../projects/projects.ts'
import { lockAccount, openAccount } from './ledger.ts'
import type { Hundredths } from './money.ts'
import { failPayment, type Payment } from './payments.ts'

/** Letters and digits that cannot be confused when read over the telephone. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const newOrderId = (): string =>
  `D-${Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join('')}`

export interface NewOrder {
  gateway: string
  method: string
  amount: Hundredths
  currency: string
  by?: string | null
}

/** How many orders of a project may wait for payment at a time. */
const maxWaiting = 10

/** Counts under the account's lock, so that concurrent orders cannot exceed the limit. */
async function refuseFurtherOrders(tx: Tx): Promise<void> {
  await lockAccount(tx, tx.projectId)
  const [waiting] = await tx<{ count: number; until: string }[]>`
    select count(*)::int as count, min(expires_at) as until from payments
    where project_id = ${tx.projectId} and status = 'pending' and expires_at > now()`
  if (waiting!.count < maxWaiting) return
  throw new UserError(
    `${maxWaiting} payments are already open; pay or cancel one of them first. The next one expires on ${waiting!.until.slice(0, 10)}`,
    { reason: 'too_many_orders', max: maxWaiting },
  )
}

/** Creates an order that waits for payment until it expires. The first order sets the account's currency. */
export const orderPayment = (store: DbOrTx, projectId: string, order: NewOrder): Promise<Payment> =>
  transact(store, projectId, async tx => {
    await findProject(tx, projectId)
    await openAccount(tx, projectId, order.currency)
    await refuseFurtherOrders(tx)
    const { gateway, method, amount, currency, by = null } = order
    const [payment] = await tx<Payment[]>`
      insert into payments (project_id, id, order_id, gateway, amount, currency, method, by)
      values (${projectId}, ${newId()}, ${newOrderId()}, ${gateway}, ${amount}, ${currency}, ${method}, ${by})
      returning *`
    return payment!
  })

/** Expires unpaid orders of all projects. A payment that arrives later is still credited. */
export async function expireOrders(db: Db): Promise<number> {
  const expired = await db<Payment[]>`
    select * from payments
    where status = 'pending' and expires_at <= now() and project_id is not null
    order by expires_at limit 100`
  for (const payment of expired) await failPayment(db, payment, 'expired')
  return expired.length
}
