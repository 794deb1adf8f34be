import type { Db } from '../../src/core/db/db.ts'
import type { Ledger } from '../ledger/clients.ts'
import { compare, type Verdict } from '../ledger/compare.ts'
import type { Project } from '../ledger/projects.ts'
import type { Arrival } from '../ledger/receiver.ts'
import type { Happening } from './disturb.ts'
import { listMisread, type Reader } from './readers.ts'
import type { Stage } from './stage.ts'
import { listHalf, type Uploads } from './uploads.ts'

/** The results of a run. */
export interface Remains {
  ledger: Ledger
  projects: Project[]
  arrivals: Arrival[]
  readers: Reader[]
  uploads: Uploads
  happenings: Happening[]
  /** Milliseconds before each further attempt. */
  delays: number[]
  /** Deliveries that were still waiting at the end. */
  left: number
}

const namesOf = ({ deliveryId, attempt }: Arrival): string => `${deliveryId} ${attempt}`

/** Attempts that arrived more than once. */
export const countRepeats = (arrivals: Arrival[]): number =>
  arrivals.length - new Set(arrivals.map(namesOf)).size

/** Milliseconds by which the receiver's clock and timers may differ from Deskbell's. */
const tolerance = 50

/** Attempts that arrived too soon after the previous one. */
function listEarly(arrivals: Arrival[], delays: number[]): string[] {
  const first = new Map<string, number>()
  for (const arrival of arrivals) {
    const name = namesOf(arrival)
    first.set(name, Math.min(first.get(name) ?? Number.POSITIVE_INFINITY, arrival.at))
  }
  return [...first].flatMap(([name, at]) => {
    const [id, attempt] = name.split(' ')
    const before = first.get(`${id} ${Number(attempt) - 1}`)
    const wanted = delays[Number(attempt) - 2]!
    return before !== undefined && at - before < wanted - tolerance
      ? [`${name}: ${at - before} ms of ${wanted}`]
      : []
  })
}

/** Checks the log, its readers, files and processes. Each list of faults must be empty. */
export async function judge(db: Db, stage: Stage, remains: Remains): Promise<Verdict> {
  const { ledger, projects, arrivals, readers, uploads, happenings, delays, left } = remains
  const verdict = await compare(db, ledger, projects, arrivals)
  const hasJumped = happenings.some(({ fault }) => fault === 'clock')
  const misread = await Promise.all(readers.map(reader => listMisread(db, reader)))
  const faults = {
    ...verdict.faults,
    misread: misread.flat(),
    // After a jump of the clock, an attempt may come early.
    early: hasJumped ? [] : listEarly(arrivals, delays),
    half_files: await listHalf(db, stage.dataDir, uploads, stage.members[0]!.url),
    odd_uploads: uploads.odd,
    collapsed: stage.members.filter(({ collapses }) => collapses).map(({ name }) => name),
    not_ready: happenings.filter(({ readyMs }) => readyMs === null).map(({ fault }) => fault),
    undelivered: left ? [`${left} deliveries still wait`] : [],
  }
  return { ...verdict, faults }
}

/** The longest time without an arrival that overlaps the interval, in milliseconds. */
export function longestSilence(times: number[], from: number, to: number): number {
  const inside = times.filter(at => at > from && at < to)
  return [from, ...inside, to].slice(1).reduce((longest, at, n) => {
    return Math.max(longest, at - [from, ...inside][n]!)
  }, 0)
}
