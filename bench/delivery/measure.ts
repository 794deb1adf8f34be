import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createVault } from '../../src/core/crypto.ts'
import type { Db } from '../../src/core/db.ts'
import { newId } from '../../src/core/ids.ts'
import { transact } from '../../src/events/transaction.ts'
import { createProject } from '../../src/projects/projects.ts'
import { registerWebhook } from '../../src/webhooks/webhooks.ts'
import { percentile, round } from '../figures.ts'

export type Arrival = [number: number, target: string, at: number]

export const clock = () => performance.timeOrigin + performance.now()
export const vault = createVault(Buffer.alloc(32, 7))

export interface Stage {
  db: Db
  receiver: ChildProcess
  url: string
}

async function collect({ receiver }: Stage): Promise<Arrival[]> {
  receiver.send('take')
  const [arrivals] = await once(receiver, 'message')
  return arrivals as Arrival[]
}

export async function addProject({ db, url }: Stage, targets: string[]): Promise<string> {
  const { id } = await createProject(db, { name: 'Bench' })
  for (const target of targets) await registerWebhook(db, vault, id, { url: `${url}/${target}` })
  return id
}

const emit = (db: Db, projectId: string, number: number) =>
  transact(db, projectId, async tx => {
    tx.emit({ type: 'ticket.reopened', data: { ticket_id: newId(), status: String(number) } })
  })

/** Writes at a fixed rate whatever the answers do, and says when each write began. */
async function write({ db }: Stage, projects: string[], rate: number, seconds: number): Promise<number[]> {
  const starts: number[] = []
  const writes: Promise<void>[] = []
  const begin = clock()
  while (starts.length < rate * seconds) {
    const due = Math.min(((clock() - begin) / 1000) * rate, rate * seconds)
    while (starts.length < due) {
      starts.push(clock())
      writes.push(emit(db, projects[starts.length % projects.length]!, starts.length - 1))
    }
    await sleep(2)
  }
  await Promise.all(writes)
  return starts
}

export async function measure(stage: Stage, projects: string[], rate: number, seconds: number, target = '') {
  const starts = await write(stage, projects, rate, seconds)
  const [age] = await stage.db<{ age: number }[]>`
    select coalesce(extract(epoch from clock_timestamp() - min(q.run_at)), 0)::float8 as age
    from webhook_queue q join webhooks w on w.id = q.webhook_id where w.url not like '%/hang' and q.attempts = 0`
  await sleep(1_500)
  const arrivals = (await collect(stage)).filter(([, path]) => path !== 'hang' && path.includes(target))
  const times = arrivals.map(([number, , at]) => at - starts[number]!).sort((a, b) => a - b)
  return {
    rate,
    sent: starts.length,
    arrived: times.length,
    p50_ms: round(percentile(times, 0.5), 1),
    p99_ms: round(percentile(times, 0.99), 1),
    max_ms: round(percentile(times, 1), 1),
    backlog_age_s: Math.round((age?.age ?? 0) * 1000) / 1000,
  }
}
