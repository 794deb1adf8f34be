import type { Db } from '../../src/core/db/db.ts'
import { bareId } from '../../src/core/ids.ts'
import type { Ledger } from './clients.ts'
import type { Arrival } from './receiver.ts'

/** A project with its subscriptions, by the paths of their targets. */
export interface Subscribed {
  projectId: string
  targets: string[]
}

interface Logged {
  project_id: string
  seq: number
  id: string
  type: string
  about: string
}

const readLog = (db: Db) => db<Logged[]>`
  select project_id, seq, id, type, coalesce(data->>'message_id', data->>'ticket_id') as about
  from events order by project_id, seq`

const count = <T>(items: Iterable<T>, nameOf: (item: T) => string): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(nameOf(item), (counts.get(nameOf(item)) ?? 0) + 1)
  return counts
}

/** Acknowledged operations without their event in the log. */
function listUnlogged({ acknowledged }: Ledger, log: readonly Logged[]): string[] {
  const logged = count(log, event => `${event.project_id} ${event.type} ${event.about}`)
  const wanted = count(acknowledged, entry => `${entry.projectId} ${entry.type} ${entry.about}`)
  return [...wanted].filter(([name, times]) => (logged.get(name) ?? 0) < times).map(([name]) => name)
}

/** Events whose number does not follow the previous one. */
function listGaps(log: readonly Logged[]): string[] {
  const next = new Map<string, number>()
  return log.flatMap(({ project_id, seq }) => {
    const wanted = next.get(project_id) ?? 1
    next.set(project_id, seq + 1)
    return seq === wanted ? [] : [`${project_id} ${wanted}`]
  })
}

export interface Verdict {
  events: number
  acknowledged: number
  refused: number
  unanswered: number
  attempts: number
  wanted_deliveries: number
  repeated_deliveries: number
  /** Each list must be empty. */
  faults: Record<string, string[]>
}

/** Events whose bytes differ between attempts or targets. */
function listChanged(arrivals: Arrival[]): string[] {
  const bodies = new Map<string, string>()
  return arrivals
    .filter(({ eventId, body }) => {
      const known = bodies.get(eventId) ?? body
      bodies.set(eventId, known)
      return known !== body
    })
    .map(({ eventId }) => eventId)
}

/** Compares the clients' ledger with the log, and the log with the arrivals. */
export async function compare(
  db: Db,
  ledger: Ledger,
  projects: Subscribed[],
  arrivals: Arrival[],
): Promise<Verdict> {
  const log = await readLog(db)
  const targets = new Map(projects.map(({ projectId, targets }) => [projectId, targets]))
  const wanted = new Map<string, string>()
  for (const event of log)
    for (const target of targets.get(event.project_id) ?? [])
      wanted.set(`${target} ${bareId(event.id)}`, event.type)
  const idsOf = new Map<string, Set<string>>()
  const phantom: string[] = []
  for (const arrival of arrivals) {
    const name = `${arrival.target} ${arrival.eventId}`
    idsOf.set(name, (idsOf.get(name) ?? new Set()).add(arrival.deliveryId))
    if (wanted.get(name) !== arrival.type) phantom.push(`${name} ${arrival.type}`)
  }
  return {
    events: log.length,
    acknowledged: ledger.acknowledged.length,
    refused: ledger.refused,
    unanswered: ledger.unanswered,
    attempts: arrivals.length,
    wanted_deliveries: wanted.size,
    repeated_deliveries: arrivals.length - idsOf.size,
    faults: {
      unlogged: listUnlogged(ledger, log),
      gaps: listGaps(log),
      lost: [...wanted.keys()].filter(name => !idsOf.has(name)),
      phantom,
      changed_id: [...idsOf].filter(([, ids]) => ids.size > 1).map(([name]) => name),
      changed_body: listChanged(arrivals),
      forbidden: arrivals.filter(({ isForbidden }) => isForbidden).map(({ eventId }) => eventId),
      odd: ledger.odd,
    },
  }
}
