import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import { isKnownParameter } from './read-query.ts'

/** Query parameters that an operation does not know. They are ignored, and the response and the request log name them. */

const ignored = new WeakMap<FastifyRequest, string[]>()

/** The first names are enough, and fit into a header. */
const maxNames = 10
const maxNameLength = 32

const printName = (name: string): string => encodeURIComponent(name.slice(0, maxNameLength).toWellFormed())

export const listIgnoredParameters = (request: FastifyRequest): string[] => ignored.get(request) ?? []

/** Records the names that the schema of the query does not have, percent-encoded, and lists them in the response. */
export function reportIgnoredParameters(
  request: FastifyRequest,
  reply: FastifyReply,
  schema: TObject | undefined,
): void {
  const sent = Object.keys(request.query ?? {})
  const names = sent.filter(name => !isKnownParameter(schema, name)).slice(0, maxNames)
  if (!names.length) return
  const printed = names.map(printName)
  ignored.set(request, printed)
  reply.header('x-ignored-parameters', printed.join(', '))
}
