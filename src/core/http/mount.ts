import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../db/db.ts'
import { type Call, type Caller, type Endpoint, isBytes } from '../endpoint.ts'
import { ApiError, BriefError, InvalidRequest, invalidHeader } from '../errors.ts'
import { propertyOf, stringOf } from '../objects.ts'
import { addressAt } from '../paging/paging.ts'
import { roles } from '../roles.ts'
import { traceAttributes } from '../telemetry/trace.ts'
import { drainBody } from './drain-body.ts'
import { reportIgnoredParameters } from './ignored-parameters.ts'
import { stripUnknown } from './strip-unknown.ts'
import { compileBody, compileQuery } from './validate.ts'

/** Runs an operation, or returns its stored response, for Idempotency-Key. */
export type WrapOperation = (
  call: Call,
  definition: Endpoint,
  run: (call: Call) => Promise<unknown>,
) => Promise<unknown>

export interface MountOptions {
  db: Db
  callerOf(request: FastifyRequest): Partial<Caller> | undefined
  wrap: WrapOperation
}

const fastifyPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

const noBody = new InvalidRequest([{ type: 'missing', loc: ['body'], msg: 'Field required' }])

function bodyReader(definition: Endpoint): (request: FastifyRequest) => unknown {
  if (!definition.body) return () => undefined
  const { body: schema } = definition
  const validate = compileBody(schema)
  return request => {
    if (request.body === undefined && !definition.bodyIsOptional) throw noBody
    const body = request.body === undefined ? {} : request.body
    validate(body, Number(request.headers['content-length'] ?? Number.MAX_SAFE_INTEGER))
    stripUnknown(schema, body)
    return body
  }
}

const badVersion = (sent: string): InvalidRequest =>
  invalidHeader('if-match', 'string_pattern_mismatch', 'Input should be "<version>" or *', sent)

function versionOf(request: FastifyRequest): number | null {
  const sent = request.headers['if-match']
  if (sent === undefined || sent === '*') return null
  const version = /^(?:W\/)?"(\d{1,9})"$/.exec(sent)?.[1]
  if (version === undefined) throw badVersion(sent)
  return Number(version)
}

const wrongParts = (sent: unknown): InvalidRequest =>
  invalidHeader('content-type', 'content_type', 'Send the body as multipart/form-data', sent)

/** Route options of an operation that reads its body as a stream. */
const streaming = {
  config: { isStreamed: true },
  onSend: drainBody,
  async onRequest({ headers }: FastifyRequest) {
    if (!/^multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? ''))
      throw wrongParts(headers['content-type'])
  },
}

const usualStatus = (definition: Endpoint): number => Number(Object.keys(definition.responses)[0])

/** Sends the version of a record and the cursor of a list as headers too. */
function send(reply: FastifyReply, answer: unknown) {
  // A stream has already begun its response.
  if (reply.sent) return reply
  if (reply.statusCode === 204 || answer === null) return reply.send()
  if (answer === undefined)
    throw new Error('The operation returned nothing; it must return its response, or null')
  const version = propertyOf(answer, 'version')
  const cursor = stringOf(answer, 'next_cursor')
  if (typeof version === 'number') reply.header('etag', `"${version}"`)
  if (cursor) reply.header('link', `<${addressAt(cursor, reply.request.url)}>; rel="next"`)
  return reply.send(answer)
}

/** Runs an operation that reads its body as a stream, and discards what the operation does not keep. */
async function runReceiving(call: Call, definition: Endpoint, wrap: WrapOperation): Promise<unknown> {
  const { body, fingerprint, release } = await definition.receive!({ ...call, body: undefined })
  call.request.body = fingerprint
  try {
    return await wrap({ ...call, body }, definition, definition.run)
  } finally {
    await release()
  }
}

/** A key may do everything, a person only what the role allows. */
function requireRole({ minRole = 'operator' }: Endpoint, { actor }: Partial<Caller>): void {
  if (actor?.type === 'operator' && roles.indexOf(actor.role) < roles.indexOf(minRole))
    throw new ApiError('ROLE_REQUIRED', { role: minRole })
}

/** What the framework reads of a URL. */
interface Sent {
  Params: Record<string, string>
  Querystring: Record<string, string | string[]>
}

function handlerOf(definition: Endpoint, { db, callerOf, wrap }: MountOptions) {
  const readQuery = definition.query ? compileQuery(definition.query) : () => ({})
  const readBody = bodyReader(definition)
  const status = usualStatus(definition)
  return async (request: FastifyRequest<Sent>, reply: FastifyReply) => {
    // Empty if the operation needs no key.
    const caller = callerOf(request) ?? {}
    if (caller.project) traceAttributes(() => ({ 'deskbell.project_id': caller.project!.id }))
    requireRole(definition, caller)
    reportIgnoredParameters(request, reply, definition.query)
    const call = {
      ...caller,
      db,
      params: request.params,
      query: readQuery(request.query),
      body: readBody(request),
      version: definition.isConditional ? versionOf(request) : null,
      request,
      reply,
    } as Call
    reply.code(status)
    const answer = definition.receive
      ? runReceiving(call, definition, wrap)
      : wrap(call, definition, definition.run)
    return send(reply, await answer)
  }
}

/** `/tickets/` is an unknown path: an empty id does not name a record that could be missing. */
async function refuseEmptyNames({ params }: FastifyRequest): Promise<void> {
  if (Object.values(params ?? {}).includes('')) throw new BriefError('not_found')
}

/** Registers the operations, and a 405 response for every other method of their paths. */
export function mount(app: FastifyInstance, definitions: Endpoint[], options: MountOptions): void {
  const methodsByUrl = new Map<string, Set<string>>()
  app.addHook('onRequest', refuseEmptyNames)
  for (const definition of definitions) {
    const url = fastifyPath(definition.path)
    const withSchema = Object.entries(definition.responses).filter(([, schema]) => schema && !isBytes(schema))
    app.route<Sent>({
      method: definition.method,
      url,
      schema: { response: Object.fromEntries(withSchema) },
      ...(definition.isWaiting && { config: { isWaiting: true } }),
      ...(definition.receive && streaming),
      handler: handlerOf(definition, options),
    })
    const known = methodsByUrl.get(url) ?? new Set()
    methodsByUrl.set(url, known.add(definition.method))
    if (definition.method === 'GET') known.add('HEAD')
  }
  for (const [url, known] of methodsByUrl) rejectOtherMethods(app, url, known)
}

function rejectOtherMethods(app: FastifyInstance, url: string, known: Set<string>): void {
  const others = app.supportedMethods.filter(method => !known.has(method))
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
