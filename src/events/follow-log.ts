import { inTime } from '../core/async/in-time.ts'
import type { Db } from '../core/db/db.ts'
import type { Log } from '../core/telemetry/log.ts'
import type { Credential, Hub } from './hub.ts'
import { notifierHealth, onLogChange } from './notifier.ts'
import { listChangedProjects } from './queries.ts'

const tickIntervalMs = 250

/** A revoked credential, and maintenance, end a wait within a second. */
const ticksPerCheck = 3

/** While notifications arrive, the log is polled only once in this many ticks, for events whose notification was lost. */
const ticksPerPoll = 12

/** Notifies the hub of events that are written in this process or elsewhere, and polls for those it was not notified of. Returns a function that stops it. */
export function followLog<P extends Credential>(hub: Hub<P>, db: Db, log: Log): () => void {
  const report = (error: unknown) => log.warn({ err: error }, 'Could not check for new events')
  const notify = (projectId: string) => void hub.notify(projectId).catch(report)
  const look = once(async () => (await findChangedProjects(hub, db)).forEach(notify))
  const endRevoked = once(() => hub.endRevoked())
  let ticks = 0
  const tick = () => {
    ticks++
    if (ticks % ticksPerCheck === 0) void endRevoked().catch(report)
    if (notifierHealth.isLost || ticks % ticksPerPoll === 0) void look().catch(report)
  }
  const timer = setInterval(tick, tickIntervalMs)
  const unlisten = onLogChange(projectId => (projectId ? notify(projectId) : void look().catch(report)))
  return () => {
    clearInterval(timer)
    unlisten()
  }
}

/** Calls during a run are combined into one more run after it. */
function once(act: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null
  const run = () => {
    next = null
    running = act().finally(() => {
      running = null
    })
    return running
  }
  return () => {
    if (!running) return run()
    next ??= running.then(run, run)
    return next
  }
}

async function findChangedProjects<P extends Credential>(hub: Hub<P>, db: Db): Promise<string[]> {
  const seen = new Map<string, number>()
  for (const { query } of hub.listWaiting()) {
    const least = seen.get(query.projectId) ?? Number.POSITIVE_INFINITY
    seen.set(query.projectId, Math.min(least, query.after!))
  }
  if (seen.size === 0) return []
  const moved = await inTime(listChangedProjects(db, seen))
  return moved.map(({ project_id }) => project_id)
}
