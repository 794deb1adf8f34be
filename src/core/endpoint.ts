import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static, type TObject, type TSchema } from 'typebox'
import type { Db } from './db.ts'
import type { Brief, Code } from './errors.ts'
import type { OperatorRole } from './roles.ts'

/** A person of the project. */
export interface PersonCaller {
  type: 'operator'
  id: string
  name: string
  avatar_url: string | null
  role: OperatorRole
}

/** A contact that writes from the widget. */
export interface ContactActor {
  type: 'contact'
  /** As long as there is no contact, the visitor's own. */
  id: string
  name: string | null
  visitor_id: string
}

/** Who acts: an integration, named by its key, a person of the project, or a contact. */
export type Actor = { type: 'api'; id: string } | PersonCaller | ContactActor

/** The project that a key or a session opened; every rule and every query gets its id from here and nowhere else. */
export interface Caller {
  project: { id: string; name: string }
  actor: Actor
}

export interface Call<Q = unknown, B = unknown> extends Caller {
  db: Db
  params: Record<string, string>
  query: Q
  body: B
  /** The version in If-Match, when one was sent. */
  version: number | null
  request: FastifyRequest
  reply: FastifyReply
}

/** An answer that is the bytes of a file, of whatever type its header says. */
export const bytes = Type.Unsafe<Readable>({ type: 'string', format: 'binary' })

export const webp = Type.Unsafe<Readable>({ ...bytes, contentMediaType: 'image/webp' })

export const isBytes = (schema: TSchema | null | undefined): boolean =>
  (schema as { format?: string } | null | undefined)?.format === 'binary'

/** A body that was taken as a stream, while it arrived. */
export interface Received {
  body: unknown
  /** Stands for the body where requests are compared. */
  fingerprint: unknown
  /** Lets go of what the operation did not keep. */
  release(): Promise<void>
}

/** One operation of the public API: what it takes, what it answers, how it fails. The OpenAPI document is made of these. */
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
  /** In place of `body`: the parts of a multipart/form-data body, which `receive` takes as a stream. */
  parts?: TObject
  receive?(call: Call<Q, undefined>): Promise<Received>
  /** Every success status with its schema; the first is the usual one. Null is an empty body. */
  answers: Record<number, TSchema | null>
  errors: (Code | Brief)[]
  /** Takes Idempotency-Key. */
  isIdempotent?: boolean
  /** Takes If-Match. */
  isConditional?: boolean
  /** Needs no key. */
  isPublic?: boolean
  /** Waits for an event, or for somebody else's server. */
  isWaiting?: boolean
  /** The least role of a person who may do it in the dashboard; everybody of the project when missing. */
  may?: OperatorRole
  examples?: { body?: unknown; answer?: unknown }
  run(call: Call<Q, B>): Promise<unknown>
}

type Typed<Q extends TObject, B extends TSchema> = Omit<Endpoint<Static<Q>, Static<B>>, 'query' | 'body'> & {
  query?: Q
  body?: B
}

/** Gives `run` the types of its query and body. */
export const endpoint = <Q extends TObject, B extends TSchema>(definition: Typed<Q, B>): Endpoint =>
  definition as unknown as Endpoint
