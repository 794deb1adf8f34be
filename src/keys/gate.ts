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

/** The key in `Authorization: Bearer …`; null if the header is missing. */
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

/** Checks every call, in this order: maintenance, the budget of the address, the key, the budget of the key. */
export function guardApi(
  app: FastifyInstance,
  { config, db, limiter }: ApiGateDeps,
  isOpen: (url: string) => boolean,
): void {
  const lookUp = createKeyLookup(db)
  const noteUse = createUsage(db, app.log)
  // Keys that this process has already found valid. This only decides which budget counts, never whether a key is valid.
  const seen = new Set<string>()

  async function admit(request: FastifyRequest) {
    const key = keyOf(request)
    const isShaped = key?.startsWith('sk_') ?? false
    const hash = isShaped ? hashKey(key!) : null
    const { isMaintenance, opened } = await lookUp(hash)
    if (isMaintenance) throw new MaintenanceError()
    const isKnown = opened !== null && seen.has(opened.key_id)
    const isFree = isOpen(request.url)
    // Set before the budgets are checked, so that refused requests are in the project's log too.
    if (opened && !isFree) callers.set(request, callerOfKey(opened))
    if (opened) noteUse({ projectId: opened.project_id, keyId: opened.key_id })
    if (isKnown) await spendBudget(limiter, `key:${opened.key_id}`, config.rateLimitPerKey)
    // Operations without a key have a separate budget, so that the document can still be read from an address that uses a wrong key.
    else
      await spendBudget(limiter, `${isFree ? 'open' : 'ip'}:${bucketOf(request.ip)}`, config.rateLimitPerIp)
    if (isFree) return
    if (key === null) throw new BriefError('key_missing')
    if (!opened) throw new BriefError('key_invalid')
    seen.add(opened.key_id)
    // Before the body is read, so that an unknown path is reported first.
    if (request.is404) throw new BriefError('not_found')
  }

  app.addHook('onRequest', admit)
}
