import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { createVault } from '../../src/core/crypto.ts'
import type { Db } from '../../src/core/db/db.ts'
import { newId } from '../../src/core/ids.ts'
import { transact } from '../../src/events/transaction.ts'
import { createProject } from '../../src/projects/projects.ts'
import { registerWebhook } from '../../src/webhooks/webhooks.ts'
import { ask } from '../children.ts'
import { percentile, round } from '../figures.ts'
import type { Arrival, Places } from './receiver.ts'

export const clock = () => performance.timeOrigin + performance.now()
export const vault = createVault(Buffer.alloc(32, 7))

export interface Stage {
  db: Db
  receiver: ChildProcess
  places: Places
}

/** The URL of a target, which is a path of the receiver or a complete address. */
const addressOf = ({ places }: Stage, target: string): string =>
  target.includes(':') ? target : `http://127.0.0.1:${places.port}/${target}`

export async function addProject(stage: Stage, targets: string[]): Promise<string> {
  const { id } = await createProject(stage.db, { name: 'Bench' })
  for (const target of targets) await registerWebhook(stage.db, vault, id, { url: addressOf(stage, target) })
  return id
}

export const addProjects = (stage: Stage, count: number, targets: (at: number) => string[]) =>
  Promise.all(Array.from({ length: count }, (_, at) => addProject(stage, targets(at))))

export const redirect = ({ db, ...stage }: Stage, projectId: string, target: string) =>
  db`update webhooks set url = ${addressOf({ db, ...stage }, target)} where project_id = ${projectId}`

interface Write {
  start: number
  commit: number
}

/** Emits one event per number in one transaction. */
async function emit(db: Db, projectId: string, numbers: number[]): Promise<Write> {
  const start = clock()
  const events = numbers.map(number => ({
    type: 'ticket.reopened' as const,
    data: { ticket_id: newId(), status: String(number) },
  }))
  await transact(db, projectId, async tx => tx.emit(...events))
  return { start, commit: clock() }
}

/** Writes `each` events at a time at a fixed rate, without waiting for responses. Returns the write of each event number. */
async function write({ db }: Stage, projects: string[], rate: number, seconds: number, each: number) {
  const writes: Promise<Write>[] = []
  const begin = clock()
  while (writes.length < rate * seconds) {
    const due = Math.min(((clock() - begin) / 1000) * rate, rate * seconds)
    while (writes.length < due) {
      const numbers = Array.from({ length: each }, (_, at) => writes.length + at)
      const project = projects[(writes.length / each) % projects.length]!
      const written = emit(db, project, numbers)
      writes.push(...numbers.map(() => written))
    }
    await sleep(2)
  }
  return Promise.all(writes)
}

/** Waits until no attempt at the project's targets is in progress. Drops later deliveries. */
export async function settle({ db }: Stage, projectId: string): Promise<void> {
  await db`update webhooks set is_active = false where project_id = ${projectId}`
  const isBusy = async () => {
    const { count } =
      await db`select from webhook_queue where project_id = ${projectId} and lease_until > now()`
    return count > 0
  }
  while (await isBusy()) await sleep(200)
  await db`delete from webhook_queue where project_id = ${projectId}`
}

/** How many seconds the oldest delivery to a good target is overdue. */
async function backlogAge({ db }: Stage): Promise<number> {
  const [row] = await db<{ age: number }[]>`
    select coalesce(extract(epoch from clock_timestamp() - min(q.run_at)), 0)::float8 as age
    from webhook_queue q join webhooks w on w.id = q.webhook_id where w.url like '%/ok%' and q.attempts = 0`
  return round(row!.age, 3)
}

export interface Seen {
  sent: number
  arrived: number
  /** Repeated arrivals of a number at the same target. */
  repeated: number
  p50_ms: number
  p99_ms: number
  max_ms: number
  /** The same including the write. */
  whole_p99_ms: number
  /** The number of events written per second. */
  rate: number
  backlog_age_s: number
}

/** Measures the time from each commit to its arrival at the good targets, whose paths begin with `ok`. */
export async function measure(
  stage: Stage,
  projects: string[],
  rate: number,
  seconds: number,
  each = 1,
): Promise<Seen> {
  const begun = clock()
  const writes = await write(stage, projects, rate, seconds, each)
  const took = clock() - begun
  const backlog_age_s = await backlogAge(stage)
  await sleep(1_500)
  const arrivals = (await ask<Arrival[]>(stage.receiver, 'take')).filter(([, to]) => to.startsWith('ok'))
  const first = new Map(
    arrivals.toReversed().map(([number, to, at]) => [`${number} ${to}`, [number, at]] as const),
  )
  const seen = [...first.values()].map(([number, at]) => ({ at, ...writes[number]! }))
  const times = seen.map(({ at, commit }) => Math.max(at - commit, 0))
  const whole = seen.map(({ at, start }) => at - start)
  return {
    sent: writes.length,
    arrived: times.length,
    repeated: arrivals.length - times.length,
    p50_ms: round(percentile(times, 0.5), 1),
    p99_ms: round(percentile(times, 0.99), 1),
    max_ms: round(percentile(times, 1), 1),
    whole_p99_ms: round(percentile(whole, 0.99), 1),
    rate: Math.round(writes.length / (took / 1_000)),
    backlog_age_s,
  }
}
