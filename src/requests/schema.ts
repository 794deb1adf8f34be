import Type, { type Static } from 'typebox'
import { id, list, nullable, oneOf, paging, text, time, timeInput } from '../core/schema.ts'

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'] as const

export const loggedRequest = Type.Object({
  id,
  request_id: Type.String({ description: 'The X-Request-ID' }),
  method: Type.String(),
  path: Type.String({ description: 'The path with its query, without secrets' }),
  ignored: Type.Array(Type.String(), {
    description: 'Unknown query parameters, percent-encoded',
  }),
  status: Type.Integer(),
  ms: Type.Integer({ description: 'From the arrival of the request to the end of the response' }),
  key_id: id,
  key_name: nullable(Type.String({ description: 'Null once the key is deleted' })),
  created_at: time,
})
export type LoggedRequest = Static<typeof loggedRequest>

export const requestList = list(loggedRequest)

export const requestQuery = Type.Object({
  ...paging,
  request_id: Type.Optional(text(200, { description: 'The exact X-Request-ID' })),
  method: Type.Optional(Type.Array(oneOf(methods))),
  status: Type.Optional(
    Type.Array(text(3, { pattern: '^([1-5]xx|[1-5]\\d\\d)$' }), {
      description: 'A status, or all of a class: `4xx`',
      maxItems: 20,
    }),
  ),
  key_id: Type.Optional(id),
  path: Type.Optional(text(200, { description: 'A part of the path' })),
  created_after: Type.Optional(timeInput),
  created_before: Type.Optional(timeInput),
})
export type RequestQuery = Static<typeof requestQuery>
