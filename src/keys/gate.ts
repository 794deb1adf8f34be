import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../core/config/config.ts'
import type { Db } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { BriefError, MaintenanceError } from '../core/errors.ts'
import { bucketOf } from '../limits/address.ts'
import type { Limiter } from '../limits/limiter.ts'
import { spendBudget } from '../limits/rate-limit.ts'
import { hashKey } from './api-keys.ts'
import { createKeyLookup } from './lookup.ts'
import type { ActiveKeyRow } from './queries.ts'
import { createUsage } from './usage.ts'

const callers = new WeakMap<FastifyRequest, Caller>()

export const callerOf = (request: FastifyRequest): Caller | undefined => callers.get(request)

/** The key in `Authorization: Bearer …`; null if the header is missing. */
function keyOf(request: FastifyRequest): string | null {
  const header = request.headers.authorization
  if (header === undefined) return null
  return /^bearer\s+(\S+)\s*$/i.exec(header)?.[1] ?? ''
}

const callerOfKey = ({ project_id, project_name, key_id }: ActiveKeyRow): Caller => ({
  project: { id: project_id, name: project_name },
  actor: { type: 'api', id: key_id },
})

export interface ApiGateDeps {
  config: Config
  db: Db
  limiter: Limiter
}

/**
 * Checks every call. It looks up the key and the maintenance switch, then counts the call against one budget: that of the key if
 * this process has already found the key valid, otherwise that of the address. Only then is a missing or invalid key refused.
 */
export function guardApi(
  app: FastifyInstance,
  { config, db, limiter }: ApiGateDeps,
  isPublicUrl: (url: string) => boolean,
): void {
  const lookUp = createKeyLookup(db)
  const noteUse = createUsage(db, app.log)
  // Keys that this process has already found valid. This only decides which budget counts, never whether a key is valid.
  const validKeyIds = new Set<string>()

  async function admit(request: FastifyRequest) {
    const key = keyOf(request)
    const looksLikeKey = key?.startsWith('sk_') ?? false
    const hash = looksLikeKey ? hashKey(key!) : null
    const { isMaintenance, found } = await lookUp(hash)
    if (isMaintenance) throw new MaintenanceError()
    const isKnown = found !== null && validKeyIds.has(found.key_id)
    const isPublic = isPublicUrl(request.url)
    // Set before the budgets are checked, so that refused requests are in the project's log too.
    if (found && !isPublic) callers.set(request, callerOfKey(found))
    if (found) noteUse({ projectId: found.project_id, keyId: found.key_id })
    if (isKnown) await spendBudget(limiter, `key:${found.key_id}`, config.rateLimitPerKey)
    // Operations without a key have a separate budget, so that the document can still be read from an address that uses a wrong key.
    else
      await spendBudget(limiter, `${isPublic ? 'open' : 'ip'}:${bucketOf(request.ip)}`, config.rateLimitPerIp)
    if (isPublic) return
    if (key === null) throw new BriefError('key_missing')
    if (!found) throw new BriefError('key_invalid')
    validKeyIds.add(found.key_id)
    // Before the body is read, so that an unknown path is reported first.
    if (request.is404) throw new BriefError('not_found')
  }

  app.addHook('onRequest', admit)
}
