import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../core/config.ts'
import type { Db } from '../core/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { BriefError, MaintenanceError } from '../core/errors.ts'
import { bucketOf } from '../limits/address.ts'
import type { Limiter } from '../limits/limiter.ts'
import { spendBudget } from '../limits/rate-limit.ts'
import { hashKey } from './keys.ts'
import { createKeyLookup } from './lookup.ts'
import type { OpenKeyRow } from './queries.ts'
import { createUsage } from './usage.ts'

const callers = new WeakMap<FastifyRequest, Caller>()

export const callerOf = (request: FastifyRequest): Caller | undefined => callers.get(request)

/** The key of `Authorization: Bearer …`; null when the header is missing. */
function keyOf(request: FastifyRequest): string | null {
  const header = request.headers.authorization
  if (header === undefined) return null
  return /^bearer\s+(\S+)\s*$/i.exec(header)?.[1] ?? ''
}

const callerOfKey = ({ project_id, project_name, key_id }: OpenKeyRow): Caller => ({
  project: { id: project_id, name: project_name },
  actor: { type: 'api', id: key_id },
})

export interface ApiGateDeps {
  config: Config
  db: Db
  limiter: Limiter
}

/** What every call passes, in this order: maintenance, the address's budget, the key, the key's budget. */
export function guardApi(
  app: FastifyInstance,
  { config, db, limiter }: ApiGateDeps,
  isOpen: (url: string) => boolean,
): void {
  const lookUp = createKeyLookup(db)
  const noteUse = createUsage(db, app.log)
  // Which keys this process has seen working: it only chooses the budget, never whether a key works.
  const seen = new Set<string>()

  async function admit(request: FastifyRequest) {
    const key = keyOf(request)
    const isShaped = key?.startsWith('sk_') ?? false
    const hash = isShaped ? hashKey(key!) : null
    const { isMaintenance, opened } = await lookUp(hash)
    if (isMaintenance) throw new MaintenanceError()
    const isKnown = opened !== null && seen.has(opened.key_id)
    const isFree = isOpen(request.url)
    // Before the budgets: what they refuse is in the project's log too.
    if (opened && !isFree) callers.set(request, callerOfKey(opened))
    if (opened) noteUse({ projectId: opened.project_id, keyId: opened.key_id })
    if (isKnown) await spendBudget(limiter, `key:${opened.key_id}`, config.rateLimitPerKey)
    // What needs no key has a budget of its own: beside a program with a wrong key the document can still be read.
    else
      await spendBudget(limiter, `${isFree ? 'open' : 'ip'}:${bucketOf(request.ip)}`, config.rateLimitPerIp)
    if (isFree) return
    if (key === null) throw new BriefError('key_missing')
    if (!opened) throw new BriefError('key_invalid')
    seen.add(opened.key_id)
    // Before the body is looked at: what is wrong with the path is told first.
    if (request.is404) throw new BriefError('not_found')
  }

  app.addHook('onRequest', admit)
}
