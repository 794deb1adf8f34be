import { type Endpoint, isBytes } from '../core/endpoint.ts'
import { asRecord, propertyOf } from '../core/objects.ts'
import type { Json } from './components.ts'

/** Parameters and headers that many operations share. */

export const refer = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` })

const text = { type: 'string' }

export const headers: Json = {
  'X-Request-ID': {
    description: 'The `X-Request-ID` that was sent, or a new one',
    required: true,
    schema: text,
    example: '4fb1c5f2a94047f5a9a4b6a1c0d3e8f7',
  },
  ETag: {
    required: true,
    description: 'The version of the record, for `If-Match`, or of the file, for `If-None-Match`',
    schema: text,
    example: '"3"',
  },
  'X-Ignored-Parameters': {
    description:
      'The first 10 query parameters that this operation does not know and has ignored, for example misspelt ones, percent-encoded',
    schema: text,
    example: 'statuss, pagesize',
  },
  Link: {
    description: 'The next page, if there is one',
    schema: text,
    example: '</api/v1/tickets?cursor=LWNyZWF0ZWRfYXR8>; rel="next"',
  },
  'Idempotency-Replayed': {
    description: '`true` if this is the stored response to an earlier request',
    schema: { type: 'string', enum: ['true'] },
  },
  'Retry-After': {
    description: 'Seconds to wait',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 17,
  },
  'WWW-Authenticate': {
    description: 'Always `Bearer`',
    required: true,
    schema: { type: 'string', enum: ['Bearer'] },
  },
  Location: {
    description: 'The URL of the file',
    required: true,
    schema: text,
    example: 'https://files.example.com/9f2c?X-Amz-Expires=300',
  },
  'Content-Disposition': {
    description: 'The name of the file; `attachment` unless the browser may display it',
    required: true,
    schema: text,
    example: 'attachment; filename="screenshot.png"',
  },
  'Content-Range': {
    description: 'The range of these bytes, and the total number',
    required: true,
    schema: text,
    example: 'bytes 0-1023/5120',
  },
}

/** Without examples, because Swagger UI at /docs would send them. */
export const parameters: Json = {
  'X-Request-ID': {
    name: 'X-Request-ID',
    in: 'header',
    description:
      'Your own id for this request: up to 200 visible ASCII characters without spaces. The response contains it too. Any other text is replaced by a new id',
    schema: text,
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes it safe to repeat the request: for 24 hours, the same key with the same request returns the first response again, and nothing is done twice',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of your copy; if it is still current, the response is 304',
    schema: text,
  },
  Range: {
    name: 'Range',
    in: 'header',
    description:
      'One range of bytes; the response is then 206. A request for several ranges gets the whole file',
    schema: text,
  },
  'If-Range': {
    name: 'If-Range',
    in: 'header',
    description: 'An `ETag`; `Range` is ignored if it is no longer current',
    schema: text,
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description:
      'The version that you read, as in `ETag`, such as `"3"`. If it is no longer the current one, the response is 412',
    schema: { type: 'string', pattern: '^(\\*|(W/)?"[0-9]{1,9}")$' },
  },
}

const properties = (schema: unknown): Json => asRecord(propertyOf(schema, 'properties'))

/** Webhooks have their version in the header only, because the specification fixes their fields. */
const hasVersion = (schema: unknown): boolean =>
  ['version', 'secret', 'consecutive_failures'].some(name => name in properties(schema))

/** A stored file. A response that is made for the request has no ETag. */
export const isDownload = ({ responses }: Endpoint): boolean => isBytes(responses[200]) && 304 in responses

/** The headers of a successful response. */
export function answerHeaders(definition: Endpoint, status: number): Json {
  const schema = definition.responses[status]
  const given = {
    'X-Request-ID': true,
    ETag: hasVersion(schema) || (isDownload(definition) && status !== 302),
    Location: status === 302,
    'Content-Disposition': isBytes(schema),
    'Content-Range': status === 206,
    'X-Ignored-Parameters': true,
    Link: 'next_cursor' in properties(schema),
    'Idempotency-Replayed': definition.isIdempotent,
  }
  const present = Object.entries(given).filter(([, isGiven]) => isGiven)
  return Object.fromEntries(present.map(([name]) => [name, refer('headers', name)]))
}
