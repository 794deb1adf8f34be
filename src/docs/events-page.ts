import type { TObject } from 'typebox'
import { describeEvents, type EventDescription } from '../events/describe.ts'
import { SEND_ERRORS } from '../webhooks/send.ts'
import { presenceOf, remarks } from './event-words.ts'
import { block, code, generated, page, table } from './markdown.ts'

interface Field {
  type?: string | string[]
  enum?: unknown[]
  format?: string
  items?: Field
}

const intro = `Each event is one POST to every active webhook that subscribes to it. The body is the envelope below; \`data\` is short, and the
full record is read through the URLs in \`_links\`, which are relative to the address of the server. \`ticket.*\`,
\`message.created\` and \`message.edited\` link to the ticket and its messages, \`contact.*\` to the contact and its tickets. The
others have no links: read the message of a reaction at \`/api/v1/messages/{message_id}\`.

[Build on the API](api.md#following-what-happens) explains which calls cause which events, which changes have no event, and how to
verify a signature. Programs without a public address can read the same events from \`GET /api/v1/updates\`.

The same event has the same \`id\` in every delivery and every attempt, so a receiver drops what it has seen. It must: after a
crash of Deskbell the same attempt can arrive twice, with the same \`X-Webhook-Id\` and number. An event from before a webhook
was registered, or from while it was switched off, is not sent to it. Deliveries are independent of one another: sort by
\`timestamp\`. Times in \`data\` are UTC without a suffix; see [how to parse them](api.md#times).
\`GET /api/v1/events/catalog\` has the same catalogue for programs, as JSON Schema.`

const headers = [
  ['`Content-Type`', '`application/json`'],
  ['`X-Webhook-Signature`', '`sha256=` and the hex HMAC-SHA256 of the raw body, keyed with the secret'],
  [
    '`X-Webhook-Signature-Previous`',
    'the same with the secret before, only in the 24 hours after `POST /api/v1/webhooks/{id}/rotate-secret`',
  ],
  ['`X-Webhook-Event`', 'name of the event'],
  ['`X-Webhook-Id`', 'id of the delivery, the same in all its attempts'],
  ['`X-Webhook-Attempt`', 'number of the attempt, 1 to 6'],
]

const closing = `A 2xx status within 10 seconds is a success. Anything else, a redirect included, is tried again 30 seconds, 2 minutes,
10 minutes, 1 hour and 6 hours after the attempt before. After 6 failed attempts the delivery has failed; 5 failed deliveries
in a row switch the webhook off, and \`PATCH {"is_active": true}\` switches it on again. The times and the number of attempts
can be changed by [settings](config.md#webhook_retry_delays).

While a webhook is off, nothing is sent to it: a waiting retry whose time comes is cancelled, and is not revived when the
webhook is switched on again. \`POST /api/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver\` sends one again by hand.`

const failures = [
  ...SEND_ERRORS.map(({ error, meaning }) => [code(error), meaning]),
  [code('interrupted'), 'the server went down during this attempt, three times'],
]

function describeType(field: Field): string {
  const types = [field.type].flat()
  const values = field.enum?.filter(value => value !== null).map(value => code(String(value)))
  const main = values?.join(', ') ?? (field.format === 'uuid' ? 'id' : types.find(type => type !== 'null')!)
  return types.includes('null') ? `${main} or null` : main
}

function printFields({ name: event, schema }: EventDescription): string {
  const data = (schema as TObject).properties.data as TObject
  const required = new Set<string>(data.required as string[])
  const rows = Object.entries(data.properties).map(([name, field]) => [
    code(name),
    describeType(field as Field),
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
    'What `error` says in the log of a delivery, and in the answer to a test:',
    table(['error', 'meaning'], failures),
    '## Catalogue',
    table(['event', 'emitted when'], index),
    ...events.map(printEvent),
  )
}
