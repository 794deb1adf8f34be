import type { Db } from '../core/db/db.ts'
import type { Log } from '../core/telemetry/log.ts'
import { updateKeyLastUsed } from './queries.ts'

const writeIntervalMs = 60_000

interface Used {
  projectId: string
  keyId: string
}

/** Records when a key was last used: at most once a minute, in parallel to the request, and whether or not it succeeds. */
export function createUsage(db: Db, log: Pick<Log, 'warn'>) {
  const noted = new Map<string, number>()
  return ({ projectId, keyId }: Used): void => {
    const now = performance.now()
    if (now - (noted.get(keyId) ?? Number.NEGATIVE_INFINITY) < writeIntervalMs) return
    noted.set(keyId, now)
    updateKeyLastUsed(db, projectId, keyId).catch(error =>
      log.warn({ err: error }, 'Could not record when an API key was last used'),
    )
  }
}
