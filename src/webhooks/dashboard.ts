import Type from 'typebox'
import type { Vault } from '../core/crypto.ts'
import type { Sql } from '../core/db/db.ts'
import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { getDelivery } from './deliveries.ts'
import type { WebhookTarget } from './queries.ts'
import { type Delivery, delivery, webhook } from './schema.ts'
import { signRequest } from './sign.ts'
import { getTarget, listWebhooks } from './webhooks.ts'

const tag = 'Webhooks'
const minRole = 'admin'

const shownDelivery = Type.Object({
  ...delivery.properties,
  request_url: Type.String({ description: 'The current value of the webhook' }),
  request_headers: Type.Record(Type.String(), Type.String(), {
    description: 'The headers of the last attempt, signed with the current secret of the webhook',
  }),
})

/**
 * Adds the request as it was sent. Its headers are computed again, because storing two hundred bytes per attempt would rarely be
 * useful.
 */
async function showDelivery(sql: Sql, vault: Vault, projectId: string, webhookId: string, id: string) {
  const shown = await getDelivery(sql, projectId, webhookId, id)
  const target = await getTarget(sql, projectId, webhookId)
  return { ...shown, request_url: target.url, request_headers: headersOf(vault, projectId, target, shown) }
}

function headersOf(vault: Vault, projectId: string, target: WebhookTarget, shown: Delivery) {
  const { id, event_type: type, attempts, request_body } = shown
  if (request_body === null) return {}
  const body = Buffer.from(request_body)
  return signRequest(vault, projectId, target, { id, type, attempt: Math.max(attempts, 1), body }).headers
}

export const webhookDashboard = ({ vault }: { vault: Vault }): Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/webhooks',
    tag,
    summary: 'List the webhooks with their failure counts',
    minRole,
    responses: { 200: Type.Object({ items: Type.Array(webhook) }) },
    errors: [],
    run: async ({ db, project }) => ({ items: await listWebhooks(db, project.id) }),
  }),
  endpoint({
    method: 'GET',
    path: '/webhooks/{webhook_id}/deliveries/{delivery_id}',
    tag,
    summary: 'Read a delivery with its requests and responses',
    minRole,
    responses: { 200: shownDelivery },
    errors: ['webhook_not_found', 'delivery_not_found'],
    run: ({ db, project, params }) =>
      showDelivery(db, vault, project.id, params.webhook_id!, params.delivery_id!),
  }),
]
