import type { Vault } from '../core/crypto.ts'
import { type Endpoint, endpoint } from '../core/endpoint.ts'
import {
  changeWebhookAudited,
  createWebhookAudited,
  deleteWebhookAudited,
  rotateSecretAudited,
} from './audited.ts'
import { getDelivery, listDeliveries, redeliver } from './deliveries.ts'
import { createKeyedSemaphore } from './keyed-semaphore.ts'
import * as schema from './schema.ts'
import type { Sender } from './send.ts'
import { maxTestDeliveriesPerProject, sendTestDelivery } from './test-delivery.ts'
import { getWebhook, listWebhooks } from './webhooks.ts'

export interface WebhookDeps {
  sender: Sender
  vault: Vault
}

const tag = 'Webhooks'
const webhookPath = '/webhooks/{webhook_id}'
const deliveryPath = `${webhookPath}/deliveries/{delivery_id}`

const register = ({ vault }: WebhookDeps) =>
  endpoint({
    method: 'POST',
    path: '/webhooks',
    tag,
    summary: 'Register a webhook',
    description:
      'The secret is shown only in this response. The host of the URL is checked only when something is sent.',
    body: schema.newWebhook,
    responses: { 201: schema.registeredWebhook },
    errors: ['VALIDATION_ERROR'],
    isIdempotent: true,
    run: call => createWebhookAudited(call.db, call, vault, call.body),
  })

const list = endpoint({
  method: 'GET',
  path: '/webhooks',
  tag,
  summary: 'List the webhooks of the project',
  description: 'Returns all webhooks at once, without secrets or failure counts.',
  responses: { 200: schema.webhooks },
  errors: [],
  run: async ({ db, project }) => ({ items: await listWebhooks(db, project.id) }),
})

const read = endpoint({
  method: 'GET',
  path: webhookPath,
  tag,
  summary: 'Read a webhook',
  description: 'Includes the number of failed deliveries in a row. The secret is never shown again.',
  responses: { 200: schema.webhook },
  errors: ['webhook_not_found'],
  run: ({ db, project, params }) => getWebhook(db, project.id, params.webhook_id!),
})

const change = endpoint({
  method: 'PATCH',
  path: webhookPath,
  tag,
  summary: 'Change a webhook',
  description: 'Only the sent fields change. `is_active: true` also sets `consecutive_failures` to 0.',
  body: schema.webhookChange,
  responses: { 200: schema.webhook },
  errors: ['webhook_not_found', 'stale', 'VALIDATION_ERROR'],
  isConditional: true,
  run: ({ body, version, ...call }) =>
    changeWebhookAudited(call.db, call, call.params.webhook_id!, body, version),
})

const remove = endpoint({
  method: 'DELETE',
  path: webhookPath,
  tag,
  summary: 'Delete a webhook and its deliveries',
  description: 'Nothing is sent to it any more, including scheduled retries.',
  responses: { 204: null },
  errors: ['webhook_not_found'],
  run: call => deleteWebhookAudited(call.db, call, call.params.webhook_id!),
})

const rotate = ({ vault }: WebhookDeps) =>
  endpoint({
    method: 'POST',
    path: `${webhookPath}/rotate-secret`,
    tag,
    summary: 'Replace the secret',
    description:
      'For 24 hours, deliveries are also signed with the old secret, in X-Webhook-Signature-Previous.',
    responses: { 200: schema.registeredWebhook },
    errors: ['webhook_not_found'],
    run: call => rotateSecretAudited(call.db, call, vault, call.params.webhook_id!),
  })

const testDelivery = (
  { sender, vault }: WebhookDeps,
  testSlots = createKeyedSemaphore(maxTestDeliveriesPerProject),
) =>
  endpoint({
    method: 'POST',
    path: `${webhookPath}/test`,
    tag,
    summary: 'Send a test event',
    description:
      'Sends `webhook.test`, or a sample of `event`, immediately and only once. This works for a disabled webhook too.',
    body: schema.testDeliveryRequest,
    bodyIsOptional: true,
    responses: { 200: schema.testDeliveryResult },
    errors: ['webhook_not_found', 'VALIDATION_ERROR'],
    isWaiting: true,
    run: ({ db, project, params, body }) =>
      sendTestDelivery(
        { db, vault, sender, testSlots },
        project.id,
        params.webhook_id!,
        body.event ?? body.type,
      ),
  })

const history = endpoint({
  method: 'GET',
  path: `${webhookPath}/deliveries`,
  tag,
  summary: 'List the deliveries of a webhook, newest first',
  description: 'The state of each event (pending, succeeded, failed or cancelled) and every attempt.',
  query: schema.deliveryFilters,
  responses: { 200: schema.deliveries },
  errors: ['webhook_not_found', 'VALIDATION_ERROR'],
  run: ({ db, project, params, query }) => listDeliveries(db, project.id, params.webhook_id!, query),
})

const readDelivery = endpoint({
  method: 'GET',
  path: deliveryPath,
  tag,
  summary: 'Read a delivery with its attempts',
  description: '`request_body` contains exactly the bytes that were signed and sent.',
  responses: { 200: schema.delivery },
  errors: ['webhook_not_found', 'delivery_not_found'],
  run: ({ db, project, params }) => getDelivery(db, project.id, params.webhook_id!, params.delivery_id!),
})

const repeat = endpoint({
  method: 'POST',
  path: `${deliveryPath}/redeliver`,
  tag,
  summary: 'Deliver an event again',
  description:
    'Creates a new delivery of the same event, with its own id and `redelivery_of_id`. Refused while a delivery of the event is pending. A repeated test remains a test.',
  responses: { 202: schema.delivery },
  errors: ['webhook_not_found', 'delivery_not_found', 'VALIDATION_ERROR'],
  run: ({ db, project, params }) => redeliver(db, project.id, params.webhook_id!, params.delivery_id!),
})

export const webhookEndpoints = (deps: WebhookDeps): Endpoint[] => [
  register(deps),
  list,
  read,
  change,
  remove,
  testDelivery(deps),
  rotate(deps),
  history,
  readDelivery,
  repeat,
]
