import Type, { type Static } from 'typebox'
import { id, list, nullable, oneOf, paging, text, time, timeInput } from '../core/schema.ts'
import { eventName } from '../events/catalogue.ts'

const events = Type.Array(eventName, {
  maxItems: 100,
  description: 'Event names; empty means all events',
  examples: [['ticket.created', 'message.created']],
})
const url = Type.String({
  description: 'The address is checked when something is sent, not here',
  examples: ['https://example.com/hook'],
})
const description = text(1_000)

export const newWebhook = Type.Object({
  url,
  events: Type.Optional(nullable(events)),
  description: Type.Optional(nullable(description)),
})

export const webhookChange = Type.Object({
  url: Type.Optional(url),
  events: Type.Optional(nullable(events)),
  description: Type.Optional(nullable(description)),
  is_active: Type.Optional(Type.Boolean()),
})

const common = { id, url: Type.String(), events: Type.Array(eventName) }
const state = { is_active: Type.Boolean(), description: Type.String(), created_at: time }
const secret = Type.String({
  description: '64 hex characters. Deliveries are signed with it. It is shown only in this response',
})

export type NewWebhook = Static<typeof newWebhook>
export type SentChange = Static<typeof webhookChange>

/** A webhook in a list. */
export const listedWebhook = Type.Object({ ...common, ...state })

export const webhooks = Type.Object({ items: Type.Array(listedWebhook) })

/** The response to registration and to a new secret, the only ones that contain the secret. */
export const registeredWebhook = Type.Object({ ...common, secret, ...state })

export const webhook = Type.Object({ ...common, ...state, consecutive_failures: Type.Integer() })

export const testDeliveryRequest = Type.Object({
  event: Type.Optional(
    Type.Unsafe<string>({
      ...eventName,
      description: 'Sends a sample of this event instead of `webhook.test`',
      examples: ['ticket.closed'],
    }),
  ),
  type: Type.Optional(Type.Unsafe<string>({ ...eventName, description: 'The same as `event`' })),
})

const statusCode = nullable(Type.Integer())

export const testDeliveryResult = Type.Object({
  delivered: Type.Boolean(),
  status_code: statusCode,
  error: nullable(Type.String()),
  latency_ms: Type.Integer(),
  delivery_id: id,
  signature_header: Type.String(),
})

export const attemptEntry = Type.Object({
  attempt: Type.Integer(),
  at: time,
  status_code: statusCode,
  error: nullable(Type.String()),
  latency_ms: Type.Integer(),
  response_excerpt: nullable(Type.String({ description: 'The first KB of the response' })),
})

export type AttemptEntry = Static<typeof attemptEntry>

const statuses = ['pending', 'succeeded', 'failed', 'cancelled'] as const

export type DeliveryStatus = (typeof statuses)[number]

export const delivery = Type.Object({
  id,
  webhook_id: id,
  event_id: Type.String({ description: '32 hex characters' }),
  event_type: eventName,
  type: Type.Unsafe<string>({ ...eventName, description: 'The same as `event_type`' }),
  status: oneOf(statuses),
  is_test: Type.Boolean(),
  attempts: Type.Integer(),
  next_attempt_at: nullable(time),
  created_at: time,
  finished_at: nullable(time),
  redelivery_of_id: nullable(id),
  last_status_code: statusCode,
  last_error: nullable(Type.String()),
  attempts_log: Type.Array(attemptEntry),
  request_body: nullable(
    Type.String({ description: 'The bytes as they were sent; null once the event has been deleted' }),
  ),
})

export type Delivery = Static<typeof delivery>

export const deliveries = list(delivery)

export const deliveryFilters = Type.Object({
  status: Type.Optional(Type.Array(oneOf(statuses))),
  event: Type.Optional(Type.Array(eventName)),
  type: Type.Optional(Type.Array(eventName, { description: 'The same as `event`' })),
  created_after: Type.Optional(timeInput),
  created_before: Type.Optional(timeInput),
  ...paging,
})

export type DeliveryFilters = Static<typeof deliveryFilters>
