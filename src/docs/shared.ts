import type { Endpoint } from '../core/endpoint.ts'
import type { Json } from './components.ts'

/** What many operations share, said once in the components of the document. */

export const refer = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` })

const text = { type: 'string' }

export const headers: Json = {
  'X-Request-ID': {
    description: 'The `X-Request-ID` that was sent, or a new one',
    schema: text,
    example: '4fb1c5f2a94047f5a9a4b6a1c0d3e8f7',
  },
  ETag: { description: 'The version of the record, for `If-Match`', schema: text, example: '"3"' },
  Link: {
    description: 'The next page, when there is one',
    schema: text,
    example: '</api/v1/tickets?cursor=LWNyZWF0ZWRfYXR8>; rel="next"',
  },
  'Idempotency-Replayed': {
    description: '`true` when the answer is the stored one of an earlier request',
    schema: { type: 'string', enum: ['true'] },
  },
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' }, example: 17 },
  'WWW-Authenticate': { description: 'Always `Bearer`', schema: { type: 'string', enum: ['Bearer'] } },
}

export const parameters: Json = {
  'X-Request-ID': {
    name: 'X-Request-ID',
    in: 'header',
    description: 'Your own id of this request; the answer has it too',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,200}$' },
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes a repetition safe: for 24 hours the same key with the same request gets the first answer again and nothing is done twice',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
    example: 'order-A-17',
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description:
      'The version that you read, as in `ETag`; when it is no longer the current one the answer is 412',
    schema: { type: 'string', pattern: '^(\\*|(W/)?"[0-9]{1,9}")$' },
    example: '"3"',
  },
}

const properties = (schema: unknown): Json =>
  (schema as { properties?: Json } | null | undefined)?.properties ?? {}

/** Webhooks keep their version in the header alone, because the spec fixes their fields. */
const hasVersion = (schema: unknown): boolean =>
  ['version', 'secret', 'consecutive_failures'].some(name => name in properties(schema))

/** The headers of a success. */
export function answerHeaders(definition: Endpoint, status: number): Json {
  const schema = definition.answers[status]
  const given = {
    'X-Request-ID': true,
    ETag: hasVersion(schema),
    Link: 'next_cursor' in properties(schema),
    'Idempotency-Replayed': definition.isIdempotent,
  }
  const present = Object.entries(given).filter(([, isGiven]) => isGiven)
  return Object.fromEntries(present.map(([name]) => [name, refer('headers', name)]))
}
