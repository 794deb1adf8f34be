import type { Db, Fragment, Sql } from '../core/db/db.ts'
import { BriefError, refuse } from '../core/errors.ts'
import { bareId, isId, newId } from '../core/ids.ts'
import { type Listed, listPage, type Sort } from '../core/paging/paging.ts'
import { checkEventNames } from '../events/names.ts'
import { notifyAfterCommit, transact } from '../events/transaction.ts'
import { bodyOf } from './body.ts'
import {
  countDeliveries,
  type DeliveryRow,
  findDeliveries,
  findWaitingDelivery,
  insertRedelivery,
  listDeliveryRows,
  lockRedelivery,
} from './delivery-queries.ts'
import type { Delivery, DeliveryFilters } from './schema.ts'
import { getWebhook } from './webhooks.ts'

function present(projectId: string, row: DeliveryRow): Delivery {
  const last = row.attempts_log.at(-1)
  return {
    ...row,
    type: row.event_type,
    event_id: bareId(row.event_id),
    last_status_code: last?.status_code ?? null,
    last_error: last?.error ?? null,
    request_body: bodyOf(projectId, row),
  }
}

/** Newest first. Ids increase with time, so the primary keys provide this order, and the cursor needs only the id. */
const byCreation = (sql: Sql): Sort => ({
  name: 'created_at',
  isDescending: true,
  column: sql`null::timestamptz`,
  isNullable: true,
  id: sql`id`,
})

export async function listDeliveries(
  sql: Sql,
  projectId: string,
  webhookId: string,
  filters: DeliveryFilters,
): Promise<Listed<Delivery>> {
  await getWebhook(sql, projectId, webhookId)
  checkEventNames(filters.event ?? [], 'event')
  checkEventNames(filters.type ?? [], 'type')
  const list = {
    sql,
    of: webhookId,
    sort: byCreation(sql),
    find: (condition: Fragment, ordering: Fragment) =>
      findDeliveries(sql, projectId, webhookId, filters, condition, ordering),
    load: async (ids: string[]) =>
      (await listDeliveryRows(sql, projectId, webhookId, ids)).map(row => present(projectId, row)),
    count: (limit: number) => countDeliveries(sql, projectId, webhookId, filters, limit),
  }
  return listPage(list, filters)
}

async function getRow(sql: Sql, projectId: string, webhookId: string, id: string): Promise<DeliveryRow> {
  await getWebhook(sql, projectId, webhookId)
  const [row] = isId(id) ? await listDeliveryRows(sql, projectId, webhookId, [id]) : []
  if (!row) throw new BriefError('delivery_not_found')
  return row
}

export const getDelivery = async (
  sql: Sql,
  projectId: string,
  webhookId: string,
  id: string,
): Promise<Delivery> => present(projectId, await getRow(sql, projectId, webhookId, id))

/** Queues the same event as a new delivery. A repeated test stays a test: one attempt, and the failure count does not change. */
export function redeliver(db: Db, projectId: string, webhookId: string, id: string): Promise<Delivery> {
  return transact(db, projectId, async tx => {
    const row = await getRow(tx, projectId, webhookId, id)
    if (bodyOf(projectId, row) === null) throw refuse('delivery_id', 'event_expired')
    await lockRedelivery(tx, webhookId, row)
    const waiting = await findWaitingDelivery(tx, projectId, webhookId, row)
    if (waiting) throw refuse('delivery_id', 'delivery_pending', { pending_delivery_id: waiting })
    const again = newId()
    const { count } = await insertRedelivery(tx, projectId, webhookId, row, again)
    if (!count) throw refuse('webhook_id', 'webhook_inactive')
    notifyAfterCommit(tx, projectId)
    return getDelivery(tx, projectId, webhookId, again)
  })
}
