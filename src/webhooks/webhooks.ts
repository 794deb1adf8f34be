import type { Vault } from '../core/crypto.ts'
import type { Sql } from '../core/db/db.ts'
import { BriefError, stale } from '../core/errors.ts'
import { isId, newId } from '../core/ids.ts'
import { checkEventNames } from '../events/names.ts'
import {
  deleteWebhookRow,
  findOldestDueTime,
  findTarget,
  findWebhookRow,
  insertWebhook,
  listWebhookRows,
  updateSecret,
  updateWebhook,
  type WebhookChange,
  type WebhookRow,
  type WebhookTarget,
} from './queries.ts'
import type { NewWebhook, SentChange } from './schema.ts'
import { makeWebhookSecret, webhookSecretLabel } from './sign.ts'

export type WebhookWithSecret = WebhookRow & { secret: string }

const notFound = () => new BriefError('webhook_not_found')

export async function registerWebhook(
  sql: Sql,
  vault: Vault,
  projectId: string,
  { url, events, description }: NewWebhook,
): Promise<WebhookWithSecret> {
  const names = events ?? []
  checkEventNames(names, 'events')
  const secret = makeWebhookSecret()
  const row = {
    id: newId(),
    url,
    events: names,
    description: description ?? '',
    secret: vault.seal(secret, webhookSecretLabel(projectId)),
  }
  const [webhook] = await insertWebhook(sql, projectId, row)
  return { ...webhook!, secret }
}

/** For how many seconds the oldest unclaimed delivery has been due. */
export const findOldestDue = async (sql: Sql): Promise<number> => (await findOldestDueTime(sql))[0]!.seconds

export const listWebhooks = async (sql: Sql, projectId: string): Promise<WebhookRow[]> => [
  ...(await listWebhookRows(sql, projectId)),
]

export async function getWebhook(sql: Sql, projectId: string, id: string): Promise<WebhookRow> {
  const [webhook] = isId(id) ? await findWebhookRow(sql, projectId, id) : []
  if (!webhook) throw notFound()
  return webhook
}

export async function getTarget(sql: Sql, projectId: string, id: string): Promise<WebhookTarget> {
  const [target] = isId(id) ? await findTarget(sql, projectId, id) : []
  if (!target) throw notFound()
  return target
}

/** Changes only the fields that were sent. `is_active: true` also resets the failure count: specification §3.1. */
export async function changeWebhook(
  sql: Sql,
  projectId: string,
  id: string,
  { events, description, ...rest }: SentChange,
  version: number | null,
): Promise<WebhookRow> {
  await getWebhook(sql, projectId, id)
  if (events) checkEventNames(events, 'events')
  const change: WebhookChange = {
    ...rest,
    ...(events !== undefined && { events: events ?? [] }),
    ...(description !== undefined && { description: description ?? '' }),
  }
  const [changed] = await updateWebhook(sql, projectId, id, change, version)
  if (changed) return changed
  throw stale(await getWebhook(sql, projectId, id))
}

/** Deliveries are also signed with the previous secret for 24 hours. */
export async function rotateSecret(
  sql: Sql,
  vault: Vault,
  projectId: string,
  id: string,
): Promise<WebhookWithSecret> {
  const secret = makeWebhookSecret()
  const [webhook] = isId(id)
    ? await updateSecret(sql, projectId, id, vault.seal(secret, webhookSecretLabel(projectId)))
    : []
  if (!webhook) throw notFound()
  return { ...webhook, secret }
}

export async function deleteWebhook(sql: Sql, projectId: string, id: string): Promise<void> {
  const [gone] = isId(id) ? await deleteWebhookRow(sql, projectId, id) : []
  if (!gone) throw notFound()
}
