import { dataSchemaOf, describeEvents, type EventDescription } from '../events/describe.ts'
import { SEND_ERRORS } from '../webhooks/response.ts'
import { presenceOf, remarks } from './event-words.ts'
import { block, code, generated, page, table } from './markdown.ts'

interface Field {
  type?: string | string[]
  enum?: unknown[]
  format?: string
  items?: Field
}

const intro = `Deskbell sends each event as a POST request to every active webhook that subscribes to it. The body is the envelope below. \`data\` has only the
main fields; read the full record through the URLs in \`_links\`, which are relative to the server's address. \`ticket.*\`,
\`message.created\` and \`message.edited\` link to the ticket and its messages, \`contact.*\` to the contact and its tickets. Other
events have no links: read the message of a reaction at \`/api/v1/messages/{message_id}\`.

[Build on the API](api.md#following-what-happens) explains which calls cause which events, which changes have no event, and how to
verify a signature. Programs without a public address can read the same events from \`GET /api/v1/updates\`.

An event has the same \`id\` in every delivery and every attempt, so that a receiver can ignore events it has already seen. It must do so: after a
crash of Deskbell, the same attempt can arrive twice, with the same \`X-Webhook-Id\` and number. Events from before a webhook was
registered, or from while it was disabled, are not sent to it. Deliveries may arrive in any order: sort by \`timestamp\`. Times in \`data\` are UTC without a suffix; see [how to parse them](api.md#times).
\`GET /api/v1/events/catalog\` has the same catalogue for programs, as JSON Schema.`

const headers = [
  ['`Content-Type`', '`application/json`'],
  ['`X-Webhook-Signature`', '`sha256=` and the hex HMAC-SHA256 of the raw body, keyed with the secret'],
  [
    '`X-Webhook-Signature-Previous`',
    'the same with the previous secret, only in the 24 hours after `POST /api/v1/webhooks/{id}/rotate-secret`',
  ],
  ['`X-Webhook-Event`', 'name of the event'],
  ['`X-Webhook-Id`', 'id of the delivery, the same in all its attempts'],
  ['`X-Webhook-Attempt`', 'number of the attempt, 1 to 6'],
]

const closing = `A 2xx status within 10 seconds is a success. Anything else, including a redirect, is retried 30 seconds, 2 minutes, 10 minutes, 1 hour and
6 hours after the previous attempt. After 6 failed attempts, the delivery has failed. 5 failed deliveries in a row disable the
webhook, and \`PATCH {"is_active": true}\` enables it again. [Settings](config.md#webhook_retry_delays) can change the times and the number of
attempts.

While a webhook is disabled, nothing is sent to it: a retry that becomes due is cancelled, and is not restored when the webhook is
enabled again. \`POST /api/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver\` repeats a delivery.`

const failures = [
  ...SEND_ERRORS.map(({ error, meaning }) => [code(error), meaning]),
  [code('interrupted'), 'the server stopped during this attempt, three times'],
]

function describeType(field: Field): string {
  const types = [field.type].flat()
  const values = field.enum?.filter(value => value !== null).map(value => code(String(value)))
  const main = values?.join(', ') ?? (field.format === 'uuid' ? 'id' : types.find(type => type !== 'null')!)
  return types.includes('null') ? `${main} or null` : main
}

function printFields({ name: event }: EventDescription): string {
  const data = dataSchemaOf(event)
  const required = new Set<string>(data.required)
  const rows = Object.entries(data.properties).map(([name, field]) => [
    code(name),
    describeType(field),
    required.has(name) ? 'always' : presenceOf(event, name),
  ])
  return table(['field of data', 'type', 'present'], rows)
}

const printEvent = (event: EventDescription): string =>
  page(
    `## ${event.name}`,
    `${event.description}.`,
    printFields(event),
    ...(remarks[event.name] ? [remarks[event.name]!] : []),
    block({ data: event.sample.data, _links: event.sample._links }),
  ).trimEnd()

export function printEvents(): string {
  const events = describeEvents()
  const index = events.map(({ name, description }) => [
    `[${code(name)}](#${name.replaceAll('.', '')})`,
    description,
  ])
  const example = events.find(({ name }) => name === 'ticket.created')!
  return page(
    '# Events',
    generated,
    intro,
    '## Envelope',
    block(example.sample),
    '## Headers of a delivery',
    table(['header', 'value'], headers),
    closing,
    'Values of `error` in the log of a delivery and in the response to a test:',
    table(['error', 'meaning'], failures),
    '## Catalogue',
    table(['event', 'emitted when'], index),
    ...events.map(printEvent),
  )
}
