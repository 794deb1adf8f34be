import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../src/core/db/db.ts'
import { newestSeqOf } from '../../src/events/log.ts'
import { openCaller } from '../calls.ts'
import { round } from '../figures.ts'
import type { Order, Report } from './pollers.ts'
import { type Cluster, makeProject, type Row, restart } from './stage.ts'

interface Written {
  acknowledged: string[]
  refused: string[]
}

/** Creates tickets through nginx at a fixed rate, in each project in turn, until `isOver`. */
async function write(url: string, keys: string[], rate: number, isOver: () => boolean): Promise<Written> {
  const callers = keys.map(key => openCaller(url, key))
  const written: Written = { acknowledged: [], refused: [] }
  const post = async (at: number) => {
    const body = { contact: { email: `user-${at % 500}@mail.example` }, subject: 'Restart' }
    const asked = callers[at % callers.length]!.call('POST', '/tickets', body)
    const { status, text } = await asked.catch(error => ({ status: 0, text: String(error) }))
    if (status === 201) written.acknowledged.push(JSON.parse(text).id)
    else written.refused.push(`${status} ${text.slice(0, 100)}`)
  }
  const posts: Promise<void>[] = []
  const begun = performance.now()
  while (!isOver()) {
    await sleep(Math.max(0, begun + (posts.length * 1_000) / rate - performance.now()))
    posts.push(post(posts.length))
  }
  await Promise.all(posts)
  for (const caller of callers) caller.close()
  return written
}

async function endsOf(db: Db, projects: { id: string; key: string }[]): Promise<Record<string, number>> {
  const rows = await db<{ project_id: string; seq: number }[]>`
    select project_id, ${newestSeqOf(db, db`c.project_id`)} as seq from project_counters c where project_id = any(${projects.map(({ id }) => id)})`
  const ends = new Map(rows.map(({ project_id, seq }) => [project_id, Number(seq)]))
  return Object.fromEntries(projects.map(({ id, key }) => [key, ends.get(id)!]))
}

async function countMissing(db: Db, ids: string[]): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from unnest(${ids}::uuid[]) as wanted (id)
    where not exists (select from tickets where tickets.id = wanted.id)`
  return row!.count
}

async function finish(pollers: ChildProcess, ends: Record<string, number>): Promise<Report> {
  pollers.send(ends)
  const [report] = await once(pollers, 'message', { signal: AbortSignal.timeout(60_000) })
  return report as Report
}

interface Seen extends Report {
  pollers: number
  rate: number
  took: number[]
  missing: number
  refused: string[]
  tried: number
}

const firstOf = (causes: string[]): string => (causes[0] ? `, such as ${causes[0]}` : '')

function tell(seen: Seen): Row[] {
  const { pollers, rate, took, missing, refused, tried, answers, failures, lost, repeated, causes } = seen
  const share = (failures / answers) * 100
  return [
    [
      `${pollers} follow through nginx while each process restarts: events lost / seen twice`,
      '0 / 0',
      `${lost} / ${repeated}`,
      lost + repeated === 0,
    ],
    [
      'their failed calls',
      'under 0.1 %',
      `${failures} of ${answers} (${round(share, 3)} %)${firstOf(causes)}`,
      share < 0.1,
    ],
    [
      `tickets created at the same time, ${rate} a second: refused / accepted and lost`,
      '0 / 0',
      `${refused.length} of ${tried} / ${missing}${firstOf(refused)}`,
      refused.length + missing === 0,
    ],
    ['downtime of each process', '', `${took.map(ms => round(ms / 1_000, 1)).join(', ')} s`, true],
  ]
}

/** Restarts each process in turn while programs follow the logs and write through nginx. */
export async function restartEach(cluster: Cluster, count: number, rate: number): Promise<Row[]> {
  const projects = await Promise.all(Array.from({ length: 20 }, () => makeProject(cluster)))
  const keys = projects.map(({ key }) => key)
  const pollers = fork(join(import.meta.dirname, 'pollers.ts'))
  cluster.context.after(() => pollers.connected && pollers.disconnect())
  pollers.send({ url: cluster.url, keys, count } satisfies Order)
  await once(pollers, 'message')
  let isOver = false
  const writing = write(cluster.url, keys, rate, () => isOver)
  const took: number[] = []
  for (const place of [...cluster.web, ...cluster.others]) took.push(await restart(place))
  await sleep(1_000)
  isOver = true
  const { acknowledged, refused } = await writing
  const report = await finish(pollers, await endsOf(cluster.db, projects))
  pollers.disconnect()
  const missing = await countMissing(cluster.db, acknowledged)
  const tried = acknowledged.length + refused.length
  return tell({ ...report, pollers: count, rate, took, missing, refused, tried })
}
