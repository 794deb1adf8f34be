import { describeEvents, type EventDescription } from '../events/describe.ts'
import type { Components, Json } from './components.ts'

const text = { type: 'string' }

const headers: Json[] = [
  {
    name: 'X-Webhook-Signature',
    in: 'header',
    required: true,
    description: '`sha256=` and the hex HMAC-SHA256 of the raw body, keyed with the secret of the webhook',
    schema: { ...text, pattern: '^sha256=[0-9a-f]{64}$' },
  },
  { name: 'X-Webhook-Event', in: 'header', required: true, description: 'Name of the event', schema: text },
  {
    name: 'X-Webhook-Id',
    in: 'header',
    required: true,
    description: 'Id of the delivery, the same in all its attempts',
    schema: { ...text, format: 'uuid' },
  },
  {
    name: 'X-Webhook-Attempt',
    in: 'header',
    required: true,
    description: 'Number of the attempt, from 1',
    schema: { type: 'integer', minimum: 1 },
  },
  {
    name: 'X-Webhook-Signature-Previous',
    in: 'header',
    description: 'The signature with the previous secret, for 24 hours after it was replaced',
    schema: { ...text, pattern: '^sha256=[0-9a-f]{64}$' },
  },
]

const operationOf = (name: string): string =>
  name.replaceAll(/[._](\w)/g, (_, letter) => letter.toUpperCase())

function describeWebhook(
  { name, description, schema, sample }: EventDescription,
  components: Components,
): Json {
  return {
    post: {
      operationId: operationOf(name),
      tags: ['Events'],
      summary: name,
      description,
      security: [],
      parameters: headers,
      requestBody: {
        required: true,
        content: { 'application/json': { schema: components.refer(schema), example: sample } },
      },
      responses: {
        '2XX': { description: 'Any such status within 10 seconds is a success' },
        default: { description: 'A failure: the delivery is repeated, up to 6 attempts in total' },
      },
    },
  }
}

/** The requests that a subscriber's server receives. */
export const describeWebhooks = (components: Components): Json =>
  Object.fromEntries(describeEvents().map(event => [event.name, describeWebhook(event, components)]))
