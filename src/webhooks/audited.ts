import { recordAudit } from '../audit/audit.ts'
import { differenceOf } from '../audit/difference.ts'
import type { Vault } from '../core/crypto.ts'
import type { Caller } from '../core/endpoint.ts'
import { type DbOrTx, transact } from '../events/transaction.ts'
import type { WebhookRow } from './queries.ts'
import type { NewWebhook, SentChange } from './schema.ts'
import {
  changeWebhook,
  deleteWebhook,
  getWebhook,
  registerWebhook,
  rotateSecret,
  type WebhookWithSecret,
} from './webhooks.ts'

/** The changes of subscriptions, with their entries in the audit log. */

/** The password and query of a URL often contain a secret. */
function withoutSecrets(address: string): string {
  const url = URL.parse(address)
  return url ? `${url.protocol}//${url.host}${url.pathname}` : address.split('?')[0]!
}

const hideSecrets = <T extends { url?: string }>(record: T) => ({
  ...record,
  ...(record.url !== undefined && { url: withoutSecrets(record.url) }),
})

const targetOf = ({ id, url }: Pick<WebhookRow, 'id' | 'url'>) => ({
  type: 'webhook',
  id,
  name: withoutSecrets(url),
})

export const createWebhookAudited = (
  store: DbOrTx,
  { project, actor }: Caller,
  vault: Vault,
  body: NewWebhook,
): Promise<WebhookWithSecret> =>
  transact(store, project.id, async tx => {
    const made = await registerWebhook(tx, vault, project.id, body)
    await recordAudit(tx, project.id, actor, 'webhook.created', targetOf(made), { events: made.events })
    return made
  })

const auditedFields = ['url', 'events', 'description', 'is_active'] as const

const settingsOf = (row: WebhookRow) => Object.fromEntries(auditedFields.map(name => [name, row[name]]))

export const changeWebhookAudited = (
  store: DbOrTx,
  { project, actor }: Caller,
  id: string,
  body: SentChange,
  version: number | null,
): Promise<WebhookRow> =>
  transact(store, project.id, async tx => {
    const before = await getWebhook(tx, project.id, id)
    const after = await changeWebhook(tx, project.id, id, body, version)
    const difference = differenceOf(settingsOf(before), settingsOf(after))
    const detail = difference && {
      before: hideSecrets(difference.before),
      after: hideSecrets(difference.after),
    }
    if (detail) await recordAudit(tx, project.id, actor, 'webhook.changed', targetOf(after), detail)
    return after
  })

export const rotateSecretAudited = (
  store: DbOrTx,
  { project, actor }: Caller,
  vault: Vault,
  id: string,
): Promise<WebhookWithSecret> =>
  transact(store, project.id, async tx => {
    const webhook = await rotateSecret(tx, vault, project.id, id)
    await recordAudit(tx, project.id, actor, 'webhook.secret_replaced', targetOf(webhook))
    return webhook
  })

export const deleteWebhookAudited = (store: DbOrTx, { project, actor }: Caller, id: string): Promise<void> =>
  transact(store, project.id, async tx => {
    const webhook = await getWebhook(tx, project.id, id)
    await deleteWebhook(tx, project.id, id)
    await recordAudit(tx, project.id, actor, 'webhook.deleted', targetOf(webhook))
  })
