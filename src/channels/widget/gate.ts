import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../core/config/config.ts'
import { sha256 } from '../../core/crypto.ts'
import type { Db } from '../../core/db/db.ts'
import { despiteFullDisk } from '../../core/db/full-disk.ts'
import type { Call, Caller } from '../../core/endpoint.ts'
import { ApiError, BriefError, MaintenanceError } from '../../core/errors.ts'
import { isOwnOrigin } from '../../core/http/own-origin.ts'
import { paramOf } from '../../core/http/param.ts'
import { isId } from '../../core/ids.ts'
import { bucketOf } from '../../limits/address.ts'
import type { Limiter } from '../../limits/limiter.ts'
import { spendAddressBudget, spendBudget } from '../../limits/rate-limit.ts'
import { findAdmittedVisitor } from './queries.ts'
import { actorOf, type Visitor } from './visitor.ts'

interface Gate {
  config: Config
  db: Db
  limiter: Limiter
}

/**
 * Anyone can create tokens, so all visitors from one address together may make at most this many times the requests of one
 * visitor.
 */
const maxVisitorsPerAddress = 20

const callers = new WeakMap<FastifyRequest, Partial<Caller>>()
const visitors = new WeakMap<FastifyRequest, Visitor>()

export const callerOfRequest = (request: FastifyRequest): Partial<Caller> | undefined => callers.get(request)

/** The visitor with this token; null if the operation needs no token and there was no valid one. */
export const visitorOf = (request: FastifyRequest): Visitor | null => visitors.get(request) ?? null

/** The visitor of the request, for operations that require a token. */
export const requestingVisitor = ({ request }: Pick<Call, 'request'>): Visitor => visitors.get(request)!

/** The token of `Authorization: Bearer vt_…`. */
export const tokenOf = ({ headers }: FastifyRequest): string | null =>
  /^bearer\s+(vt_[\w-]{43})\s*$/i.exec(headers.authorization ?? '')?.[1] ?? null

/** Requests must come from the frame, which is a page of this server wherever it is embedded. */
function requireOwnPage({ headers }: FastifyRequest, { publicUrl }: Config): void {
  const { origin, host, 'sec-fetch-site': site } = headers
  if (origin !== undefined && !isOwnOrigin(origin, host, publicUrl)) throw new ApiError('CROSS_SITE')
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new ApiError('CROSS_SITE')
}

function requireOpen(admitted: Awaited<ReturnType<typeof findAdmittedVisitor>>) {
  if (admitted?.is_maintenance) throw new MaintenanceError()
  if (!admitted || admitted.is_suspended) throw new BriefError('not_found')
  if (!admitted.is_on) throw new ApiError('WIDGET_OFF')
  return admitted
}

/** Checks every request: the origin, the budget, the project, and the token if one is required. */
export function guardWidget(
  app: FastifyInstance,
  { config, db, limiter }: Gate,
  isOpen: (url: string) => boolean,
): void {
  async function admit(request: FastifyRequest) {
    requireOwnPage(request, config)
    const project_id = paramOf(request, 'project_id')
    const token = tokenOf(request)
    const hash = token === null ? null : sha256(token)
    const found = isId(project_id)
      ? await despiteFullDisk(isNoted => findAdmittedVisitor(db, project_id, hash, isNoted))
      : null
    const visitor = found?.id ? found : null
    if (visitor) {
      await spendBudget(limiter, `visitor:${visitor.id}`, config.rateLimitPerVisitor)
      await spendAddressBudget(
        limiter,
        'chats',
        request.ip,
        config.rateLimitPerVisitor * maxVisitorsPerAddress,
      )
    } else await spendBudget(limiter, `ip:${bucketOf(request.ip)}`, config.rateLimitPerIp)
    const { project_name: name } = requireOpen(found)
    if (!visitor && !isOpen(request.routeOptions.url ?? '')) throw new ApiError('VISITOR_UNKNOWN')
    const project = { id: project_id, name }
    callers.set(request, visitor ? { project, actor: actorOf(visitor) } : { project })
    if (visitor) visitors.set(request, visitor)
  }

  app.addHook('onRequest', admit)
}
