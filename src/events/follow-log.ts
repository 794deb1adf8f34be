import type { Db } from '../core/db.ts'
import { inTime } from '../core/in-time.ts'
import type { Log } from '../core/log.ts'
import type { Credential, Hub } from './hub.ts'
import { notifierHealth, onLogChange } from './notifier.ts'
import { listChangedProjects } from './queries.ts'

const tickIntervalMs = 250

/** A pass that ended, and maintenance, end a wait within a second. */
const ticksPerCheck = 3

/** So many turns lie between two looks for events whose bell was not heard, as long as others are. */
const ticksPerPoll = 12

/** Rings in the room for what happens here, elsewhere and unheard; stops with what it returns. */
export function followLog<P extends Credential>(hub: Hub<P>, db: Db, log: Log): () => void {
  const report = (error: unknown) => log.warn({ err: error }, 'Could not look for those who wait for events')
  const notify = (projectId: string) => void hub.notify(projectId).catch(report)
  const look = once(async () => (await findChangedProjects(hub, db)).forEach(notify))
  const endRevoked = once(() => hub.endRevoked())
  let turns = 0
  const turn = () => {
    turns++
    if (turns % ticksPerCheck === 0) void endRevoked().catch(report)
    if (notifierHealth.isLost || turns % ticksPerPoll === 0) void look().catch(report)
  }
  const timer = setInterval(turn, tickIntervalMs)
  const unlisten = onLogChange(projectId => (projectId ? notify(projectId) : void look().catch(report)))
  return () => {
    clearInterval(timer)
    unlisten()
  }
}

/** Calls that come while one runs are one more call after it. */
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
  for (const { question } of hub.listWaiting()) {
    const least = seen.get(question.projectId) ?? Number.POSITIVE_INFINITY
    seen.set(question.projectId, Math.min(least, question.after!))
  }
  if (seen.size === 0) return []
  const moved = await inTime(listChangedProjects(db, seen))
  return moved.map(({ project_id }) => project_id)
}
