import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static, type TObject, type TSchema } from 'typebox'
import type { Db } from './db/db.ts'
import type { Brief, Code } from './errors.ts'
import { propertyOf } from './objects.ts'
import type { OperatorRole } from './roles.ts'

/** A person of the project. */
export interface OperatorActor {
  type: 'operator'
  id: string
  name: string
  avatar_url: string | null
  role: OperatorRole
}

/** A contact who writes in the widget. */
export interface ContactActor {
  type: 'contact'
  /** The contact's id, or the visitor's id while there is no contact. */
  id: string
  name: string | null
  visitor_id: string
}

/** Who makes the request: an integration (by its key), a person of the project, or a contact. */
export type Actor = { type: 'api'; id: string } | OperatorActor | ContactActor

/** The project of the key or session. Every rule and query gets the project's id from here and nowhere else. */
export interface Caller {
  project: { id: string; name: string }
  actor: Actor
}

export interface Call<Q = unknown, B = unknown> extends Caller {
  db: Db
  params: Record<string, string>
  query: Q
  body: B
  /** The version in If-Match; null if none was sent. */
  version: number | null
  request: FastifyRequest
  reply: FastifyReply
}

/** A response with the bytes of a file, whose type is in its header. */
export const bytes = Type.Unsafe<Readable>({ type: 'string', format: 'binary' })

export const webp = Type.Unsafe<Readable>({ ...bytes, contentMediaType: 'image/webp' })

export const isBytes = (schema: TSchema | null | undefined): boolean =>
  propertyOf(schema, 'format') === 'binary'

/** A body that was read as a stream while it arrived. */
export interface Received<B = unknown> {
  body: B
  /** Represents the body when requests are compared. */
  fingerprint: unknown
  /** Discards what the operation did not keep. */
  release(): Promise<void>
}

/** One operation of an API: its input, responses and errors. The routes and the OpenAPI document are made from these records. */
export interface Endpoint<Q = unknown, B = unknown> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below /api/v1, as OpenAPI writes it: `/tickets/{ticket_id}`. */
  path: string
  tag: string
  summary: string
  description?: string
  query?: TObject
  body?: TSchema
  bodyIsOptional?: boolean
  /** Instead of `body`: the parts of a multipart/form-data body, which `receive` reads as a stream. */
  parts?: TObject
  receive?(call: Call<Q, undefined>): Promise<Received<B>>
  /** Every success status with its schema; the first is the usual one. Null means an empty body. */
  responses: Record<number, TSchema | null>
  errors: (Code | Brief)[]
  /** Accepts Idempotency-Key. */
  isIdempotent?: boolean
  /** Accepts If-Match. */
  isConditional?: boolean
  /** Needs no key. */
  isPublic?: boolean
  /** Waits for an event, or for another server. */
  isWaiting?: boolean
  /** The lowest role that may use it in the dashboard; by default, every person in the project. */
  minRole?: OperatorRole
  examples?: { body?: unknown; answer?: unknown }
  run(call: Call<Q, B>): Promise<unknown>
}

interface WithBody<Q extends TObject, S extends TSchema> extends Endpoint<Static<Q>, Static<S>> {
  query?: Q
  body?: S
  receive?: undefined
}

interface WithParts<Q extends TObject, B> extends Endpoint<Static<Q>, B> {
  query?: Q
  body?: undefined
  parts: TObject
  receive(call: Call<Static<Q>, undefined>): Promise<Received<B>>
}

/** Gives `run` the types of its query and body. */
export function endpoint<Q extends TObject, B>(definition: WithParts<Q, B>): Endpoint
export function endpoint<Q extends TObject, S extends TSchema>(definition: WithBody<Q, S>): Endpoint
export function endpoint(definition: Endpoint): Endpoint {
  return definition
}

/** Removes definitions that are followed by one with the same method and path. */
export const replaceEarlier = (definitions: Endpoint[]): Endpoint[] => [
  ...new Map(definitions.map(definition => [`${definition.method} ${definition.path}`, definition])).values(),
]
