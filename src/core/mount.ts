import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from './db.ts'
import type { Call, Caller, Endpoint } from './endpoint.ts'
import { BriefError, InvalidRequest } from './errors.ts'
import { compileBody, compileQuery } from './validate.ts'

/** Runs an operation, or answers what it answered before: the place for Idempotency-Key. */
export type Around = (
  call: Call,
  definition: Endpoint,
  run: (call: Call) => Promise<unknown>,
) => Promise<unknown>

export interface Mounting {
  db: Db
  caller(request: FastifyRequest): Caller
  around: Around
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

const fastifyPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

const noBody = new InvalidRequest([{ type: 'missing', loc: ['body'], msg: 'Field required' }])

function bodyReader(definition: Endpoint): (request: FastifyRequest) => unknown {
  if (!definition.body) return () => undefined
  const validate = compileBody(definition.body)
  return request => {
    if (request.body === undefined && !definition.bodyIsOptional) throw noBody
    const body = request.body === undefined ? {} : request.body
    validate(body, Number(request.headers['content-length'] ?? Number.MAX_SAFE_INTEGER))
    return body
  }
}

const badVersion = new InvalidRequest([
  { type: 'string_pattern_mismatch', loc: ['header', 'if-match'], msg: 'Input should be "<version>" or *' },
])

function versionOf(request: FastifyRequest): number | null {
  const sent = request.headers['if-match']
  if (sent === undefined || sent === '*') return null
  const version = /^(?:W\/)?"(\d{1,9})"$/.exec(sent)?.[1]
  if (version === undefined) throw badVersion
  return Number(version)
}

const usualStatus = (definition: Endpoint): number => Number(Object.keys(definition.answers)[0])

function send(reply: FastifyReply, answer: unknown) {
  if (reply.statusCode === 204) return reply.send()
  const version = (answer as { version?: unknown } | null)?.version
  if (typeof version === 'number') reply.header('etag', `"${version}"`)
  return reply.send(answer)
}

function handlerOf(definition: Endpoint, { db, caller, around }: Mounting) {
  const readQuery = definition.query ? compileQuery(definition.query) : () => ({})
  const readBody = bodyReader(definition)
  const status = usualStatus(definition)
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const call = {
      ...caller(request),
      db,
      params: request.params as Record<string, string>,
      query: readQuery(request.query),
      body: readBody(request),
      version: definition.isConditional ? versionOf(request) : null,
      request,
      reply,
    } as Call
    reply.code(status)
    return send(reply, await around(call, definition, definition.run))
  }
}

/** Registers the operations, and 405 for every other method of their paths. */
export function mount(app: FastifyInstance, definitions: Endpoint[], mounting: Mounting): void {
  const taken = new Map<string, Set<string>>()
  for (const definition of definitions) {
    const url = fastifyPath(definition.path)
    const response = Object.fromEntries(Object.entries(definition.answers).filter(([, schema]) => schema))
    app.route({
      method: definition.method,
      url,
      schema: { response },
      handler: handlerOf(definition, mounting),
    })
    const known = taken.get(url) ?? new Set()
    taken.set(url, known.add(definition.method))
    if (definition.method === 'GET') known.add('HEAD')
  }
  for (const [url, known] of taken) refuseOthers(app, url, known)
}

function refuseOthers(app: FastifyInstance, url: string, known: Set<string>): void {
  const others = methods.filter(method => !known.has(method))
  app.route({
    method: others,
    url,
    onRequest: async (_request, reply) => {
      reply.header('allow', [...known].join(', '))
      throw new BriefError('method_not_allowed')
    },
    handler: async () => {},
  })
}
