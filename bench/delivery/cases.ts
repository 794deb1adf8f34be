import type { PromiseId } from '../promises.ts'
import { record } from '../results.ts'
import { flood } from './flood.ts'
import { hang } from './hanging.ts'
import { erase } from './history.ts'
import { addProject, addProjects, measure, type Seen, type Stage } from './measure.ts'

/** Measures promises. Returns whether they are kept. */
export type Case = (stage: Stage, seconds: number) => Promise<boolean>

const busy = 'Other programs have a share in it; see the load'

function tell(id: PromiseId, measured: string, isKept: boolean, note = isKept ? undefined : busy): boolean {
  console.log(`${id}  ${isKept ? 'kept' : 'NOT KEPT'}  ${measured}${note && isKept ? ` (${note})` : ''}`)
  record(id, { measured, isKept, ...(note && { note }) })
  return isKept
}

const isWhole = ({ sent, arrived, repeated }: Seen, each = 1): boolean =>
  arrived === sent * each && repeated === 0

/** The higher rate uses one target and five events per write, because the disk limits the writes of a project. */
async function latency(stage: Stage, seconds: number): Promise<boolean> {
  const project = await addProject(stage, ['ok'])
  const slow = await measure(stage, [project], 200, seconds / 2)
  const fast = await measure(stage, [project], 500, seconds / 2, 5)
  const show = ({ rate, p50_ms, p99_ms, whole_p99_ms }: Seen) =>
    `${rate}/s: p50 ${p50_ms} ms, p99 ${p99_ms} ms (${whole_p99_ms} ms with the write)`
  const measured = `${show(slow)}; ${show(fast)}; ${slow.arrived + fast.arrived} of ${slow.sent + fast.sent} arrived, ${slow.repeated + fast.repeated} twice`
  const isFast = slow.p50_ms <= 20 && slow.p99_ms <= 100 && fast.p99_ms <= 250
  const isFull = slow.rate >= 190 && fast.rate >= 475
  return tell('W3', measured, isFast && isFull && isWhole(slow) && isWhole(fast))
}

async function sustained(stage: Stage, seconds: number): Promise<boolean> {
  const projects = await addProjects(stage, 10, at => [`ok-${at}`])
  const seen = await measure(stage, projects, 800, seconds)
  const measured = `${seen.rate}/s for ${seconds} s: backlog ${seen.backlog_age_s} s, p99 ${seen.p99_ms} ms, ${seen.arrived} of ${seen.sent} arrived`
  const isKept = seen.rate >= 790 && seen.backlog_age_s < 1 && isWhole(seen)
  return tell('W4', measured, isKept, isKept && seconds < 600 ? `For ${seconds} s, not 10 min` : undefined)
}

async function fan(stage: Stage): Promise<boolean> {
  const targets = Array.from({ length: 100 }, (_, at) => `ok-${at}`)
  const seen = await measure(stage, [await addProject(stage, targets)], 1, 1)
  return tell('W5', `${seen.arrived} within ${seen.max_ms} ms`, isWhole(seen, 100) && seen.max_ms <= 500)
}

async function tellHang(id: 'W6' | 'W8', stage: Stage, seconds: number, tenants: number) {
  const { turns, ratio, beside, repeated, missing } = await hang(stage, seconds, tenants)
  console.table(turns)
  const measured = `p99 of ${tenants === 1 ? 'the other' : `the ${tenants} others`} ${ratio} times as long as alone, ${beside} ms (medians of ${turns.length} rounds), ${repeated} arrived twice, ${missing} not`
  return tell(id, measured, ratio <= 2 && beside <= 150 && repeated + missing === 0)
}

const bad = ({ places }: Stage, at: number) => [
  `hang-${at}`,
  `reset-${at}`,
  `endless-${at}`,
  `https://127.0.0.1:${places.silent}/tls-${at}`,
  `http://black-hole-${at}.test:80/`,
]

/** 20 of 50 targets fail, 2 of 5 in each project, four in each of five ways. */
async function failing(stage: Stage, seconds: number): Promise<boolean> {
  const projects = await addProjects(stage, 10, at => {
    const ways = bad(stage, at)
    const good = [1, 2, 3].map(n => `ok-${at}-${n}`)
    return [...good, ways[at % 5]!, ways[(at + 1) % 5]!]
  })
  const seen = await measure(stage, projects, 40, Math.max(15, seconds / 2))
  const measured = `p99 of the others ${seen.p99_ms} ms, ${seen.arrived} of ${3 * seen.sent} arrived, ${seen.repeated} twice`
  for (const project of projects) await stage.db`delete from webhooks where project_id = ${project}`
  return tell('W7', measured, seen.p99_ms <= 300 && isWhole(seen, 3))
}

async function endless(stage: Stage): Promise<boolean> {
  const { answers, read_kb, rise_mb, closed_ms } = await flood(stage)
  const measured = `at most ${read_kb} KB read of each of ${answers} responses of 1 GB, memory +${rise_mb} MB, closed within ${closed_ms} ms`
  return tell('W10', measured, answers > 0 && read_kb <= 64 + 64 && rise_mb <= 5 && closed_ms <= 1_000)
}

async function deletion(stage: Stage, seconds: number): Promise<boolean> {
  const { took_ms, alone, beside, gone_s } = await erase(stage, seconds / 2)
  const measured = `deleted in ${took_ms} ms, p99 of others ${beside} ms (${alone} ms before), 1,000,000 rows deleted after ${gone_s} s`
  return tell('W20', measured, took_ms <= 200 && beside <= 2 * alone && gone_s <= 600)
}

/** By name, in the order in which they run. */
export const cases: Record<string, Case> = {
  latency,
  fan,
  hanging: (stage, seconds) => tellHang('W6', stage, seconds, 1),
  shared: (stage, seconds) => tellHang('W8', stage, seconds, 49),
  failing,
  endless,
  sustained,
  deletion,
}
