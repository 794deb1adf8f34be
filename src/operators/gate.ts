import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../core/config/config.ts'
import type { Db } from '../core/db/db.ts'
import { despiteFullDisk } from '../core/db/full-disk.ts'
import type { Caller } from '../core/endpoint.ts'
import { ApiError, MaintenanceError } from '../core/errors.ts'
import { isOwnOrigin } from '../core/http/own-origin.ts'
import { paramOf } from '../core/http/param.ts'
import { isId } from '../core/ids.ts'
import { bucketOf } from '../limits/address.ts'
import type { Limiter } from '../limits/limiter.ts'
import { spendBudget } from '../limits/rate-limit.ts'
import type { SignedInSession, Users } from '../users/users.ts'
import { headersOf } from '../users/users.ts'
import { findAdmittedOperator } from './people-queries.ts'

export interface DashboardGateDeps {
  config: Config
  db: Db
  users: Users
  limiter: Limiter
}

const sessions = new WeakMap<FastifyRequest, SignedInSession>()
const callers = new WeakMap<FastifyRequest, Caller>()

export const sessionOf = (request: FastifyRequest): SignedInSession => sessions.get(request)!
export const personOf = (request: FastifyRequest): Caller => callers.get(request)!

/** Only pages of this server may make changes with the cookie of the person who views them. */
function requireSameSite({ method, headers }: FastifyRequest, { publicUrl }: Config): void {
  if (method === 'GET' || method === 'HEAD') return
  const { origin, host, 'sec-fetch-site': site } = headers
  if (site !== undefined ? site === 'same-origin' : origin && isOwnOrigin(origin, host, publicUrl)) return
  throw new ApiError('CROSS_SITE')
}

const spendOfStranger = ({ limiter, config }: DashboardGateDeps, { ip }: FastifyRequest) =>
  spendBudget(limiter, `ip:${bucketOf(ip)}`, config.rateLimitPerIp)

/** For operations that need no sign-in. They count against the budget of the address. */
export function guardPublic(app: FastifyInstance, gate: DashboardGateDeps): void {
  app.addHook('onRequest', async request => {
    requireSameSite(request, gate.config)
    await spendOfStranger(gate, request)
  })
}

/** For signing in, which has its own limits. */
export function guardSignIn(app: FastifyInstance, gate: DashboardGateDeps): void {
  app.addHook('onRequest', async request => {
    requireSameSite(request, gate.config)
    await spendOfStranger(gate, request)
  })
}

/** For people who are signed in. */
export function guardSession(app: FastifyInstance, gate: DashboardGateDeps): void {
  app.addHook('onRequest', async (request, reply) => {
    requireSameSite(request, gate.config)
    const session = request.headers.cookie ? await gate.users.findSession(headersOf(request)) : null
    if (!session) {
      await spendOfStranger(gate, request)
      throw new ApiError('SESSION_REQUIRED')
    }
    await spendBudget(gate.limiter, `session:${session.id}`, gate.config.rateLimitPerSession)
    if (session.cookies.length) reply.header('set-cookie', session.cookies)
    sessions.set(request, session)
  })
}

/** For people of the project in the path. For all others, the project does not exist. */
export function guardProject(app: FastifyInstance, gate: DashboardGateDeps): void {
  guardSession(app, gate)
  app.addHook('onRequest', async request => {
    const project_id = paramOf(request, 'project_id')
    const { user } = sessionOf(request)
    const admitted = isId(project_id)
      ? await despiteFullDisk(isNoted => findAdmittedOperator(gate.db, project_id, user.id, isNoted))
      : null
    if (!admitted) throw new ApiError('PROJECT_NOT_FOUND')
    if (admitted.is_maintenance) throw new MaintenanceError()
    if (admitted.is_suspended) throw new ApiError('PROJECT_SUSPENDED')
    if (admitted.requires_second_factor && !user.hasSecondFactor) throw new ApiError('SECOND_FACTOR_REQUIRED')
    const { id, name, role, avatar_url } = admitted
    callers.set(request, {
      project: { id: project_id, name: admitted.project_name },
      actor: { type: 'operator', id, name, role, avatar_url },
    })
  })
}
