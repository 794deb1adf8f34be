import { median, percentile, round } from '../figures.ts'
import type { Verdict } from '../ledger/compare.ts'
import type { PromiseId } from '../promises.ts'
import { record } from '../results.ts'
import { countRepeats, longestSilence, type Remains } from './judge.ts'
import { judgeSnapshot } from './snapshot.ts'
import type { Stage } from './stage.ts'

/** Evaluates a run against the promises that concern its faults. */

interface Ran extends Remains {
  stage: Stage
  verdict: Verdict
}

export interface Shown {
  measured: string
  isKept: boolean
  note?: string
}

const sizeOf = ({ verdict, happenings }: Ran): string =>
  `${verdict.acknowledged} operations, ${verdict.wanted_deliveries} deliveries, ${happenings.length} faults`

const of = ({ happenings }: Ran, ...names: string[]) =>
  happenings.filter(({ fault }) => names.includes(fault))

/** Whether these lists of the verdict are all empty. */
const isClean = ({ verdict }: Ran, ...names: string[]): boolean =>
  names.every(name => verdict.faults[name]!.length === 0)

const countOf = ({ verdict }: Ran, ...names: string[]): number =>
  names.reduce((sum, name) => sum + verdict.faults[name]!.length, 0)

const kills = ({ stage }: Ran): number => stage.members.reduce((sum, member) => sum + member.kills, 0)

function showZeroLoss(ran: Ran): Shown {
  const names = ['unlogged', 'gaps', 'lost', 'undelivered']
  const full = ran.verdict.acknowledged >= 50_000 && kills(ran) >= 100
  return {
    measured: `${countOf(ran, ...names)} lost; ${sizeOf(ran)}, ${kills(ran)} of them kills`,
    isKept: isClean(ran, ...names),
    ...(!full && { note: 'Shorter than promised; the full run is --seconds 900 --rate 200' }),
  }
}

const showPhantoms = (ran: Ran): Shown => ({
  measured: `${countOf(ran, 'phantom', 'forbidden')} of ${ran.verdict.attempts} attempts; ${ran.verdict.refused} operations refused`,
  isKept: isClean(ran, 'phantom', 'forbidden'),
})

function showRepeats(ran: Ran): Shown {
  const repeats = countRepeats(ran.arrivals)
  return {
    measured: `${repeats} of ${ran.arrivals.length} attempts were repeated in ${kills(ran)} kills, ${countOf(ran, 'changed_id', 'changed_body')} with another id or body`,
    isKept: repeats <= kills(ran) * 256 && isClean(ran, 'changed_id', 'changed_body'),
    note: 'Does not include the 100,000 without faults',
  }
}

const readyOf = (ran: Ran, ...names: string[]): number[] =>
  of(ran, ...names).map(({ readyMs }) => readyMs ?? Number.POSITIVE_INFINITY)

/** The longest time between two arrivals of one attempt, after the process that began it was killed. */
function slowestRepeat({ arrivals }: Ran): number {
  const first = new Map<string, number>()
  return arrivals.reduce((slowest, { deliveryId, attempt, at }) => {
    const name = `${deliveryId} ${attempt}`
    const before = first.get(name)
    if (before === undefined) first.set(name, at)
    return before === undefined ? slowest : Math.max(slowest, at - before)
  }, 0)
}

function showKills(ran: Ran): Shown {
  const ready = ran.stage.members.flatMap(({ comebacks }) => comebacks)
  const times = ran.arrivals.map(({ at }) => at)
  const silences = of(ran, 'kill').map(({ overAt }) => longestSilence(times, overAt, overAt + 10_000))
  const [p99, repeat] = [percentile(silences, 0.99), slowestRepeat(ran)]
  return {
    measured: `${ready.length} kills: deliveries resume after ${p99} ms (p99), the killed process is ready after ${median(ready)} ms (median), its attempts are repeated within ${round(repeat / 1_000, 1)} s`,
    isKept: p99 <= 5_000 && repeat <= 20_000,
    ...(ready.length < 100 && { note: 'Fewer kills than the promised 100' }),
  }
}

function showPostgres(ran: Ran): Shown {
  const ready = readyOf(ran, 'postgres', 'terminate')
  const slowest = Math.max(...ready)
  return {
    measured: `${of(ran, 'postgres').length} crashes, ${of(ran, 'terminate').length} storms: ready within ${slowest} ms, ${countOf(ran, 'collapsed')} processes ended`,
    isKept: slowest <= 5_000 && isClean(ran, 'collapsed'),
    ...(ready.length < 50 && { note: 'Fewer than the promised 50' }),
  }
}

const showReading = (ran: Ran): Shown => ({
  measured: `${countOf(ran, 'misread', 'gaps')} missing, repeated or out of order; ${ran.readers.length} readers of ${ran.verdict.events} events through ${ran.happenings.length} faults`,
  isKept: isClean(ran, 'misread', 'gaps'),
  ...(ran.verdict.events < 1_000_000 && { note: 'Fewer events than promised, but with faults' }),
})

function showStuckWriter(ran: Ran): Shown {
  const held = of(ran, 'open-transaction')
  const longest = Math.max(
    ...held.flatMap(({ at, overAt }) =>
      ran.projects.map(({ projectId }) => {
        const times = ran.ledger.acknowledged.filter(one => one.projectId === projectId).map(one => one.at)
        return longestSilence(times, at, overAt + 1_000)
      }),
    ),
  )
  return {
    measured: `${held.length} transactions left open: at most ${longest} ms without an acknowledged write of their project`,
    isKept: longest <= 6_000,
    note: 'The database ends it after 4 s. Does not cover a long write, which the statement timeout of 9 s ends',
  }
}

const showDisk = (ran: Ran): Shown => ({
  measured: `full ${of(ran, 'disk-postgres').length} times: ${countOf(ran, 'odd', 'odd_uploads')} undocumented responses, ready within ${Math.max(...readyOf(ran, 'disk-postgres'))} ms, ${countOf(ran, 'unlogged', 'lost')} lost`,
  isKept: isClean(ran, 'odd', 'odd_uploads', 'unlogged', 'lost', 'gaps', 'not_ready', 'undelivered'),
})

const showStorage = (ran: Ran): Shown => ({
  measured: `${ran.uploads.failed} uploads answered 502, the slowest after ${round(ran.uploads.slowestMs / 1_000, 1)} s; ${countOf(ran, 'half_files', 'odd_uploads')} incomplete or undocumented`,
  isKept:
    ran.uploads.failed > 0 && ran.uploads.slowestMs <= 30_000 && isClean(ran, 'half_files', 'odd_uploads'),
  note: 'Tested with a full file system; src/media/bucket.faults.test.ts covers failing buckets',
})

const showHalfFiles = (ran: Ran): Shown => ({
  measured: `${countOf(ran, 'half_files')} incomplete or orphaned, ${ran.uploads.kept.length} complete, ${ran.uploads.unanswered} without a response in ${kills(ran)} kills`,
  isKept: isClean(ran, 'half_files'),
  ...(kills(ran) < 50 && { note: 'Fewer kills than the promised 50' }),
})

const showRedis = (ran: Ran): Shown => ({
  measured: `${of(ran, 'redis').length} stops: ${ran.ledger.unanswered} calls failed; ${of(ran, 'redis')
    .map(({ detail }) => detail)
    .join('; ')}`,
  isKept: ran.ledger.unanswered === 0,
  note: 'src/limits/fail-open.test.ts tests how long a call waits for the count',
})

const showClock = (ran: Ran): Shown => ({
  measured: `${of(ran, 'clock').length} jumps by an hour and back: ${countOf(ran, 'undelivered', 'lost')} stuck or lost`,
  isKept: isClean(ran, 'undelivered', 'lost'),
})

/** Promises with the faults that a run must have had, and with `alone` no others. */
const shows: { id: PromiseId; needs: string[]; alone?: true; show(ran: Ran): Shown }[] = [
  { id: 'W1', needs: ['kill', 'postgres'], show: showZeroLoss },
  { id: 'W2', needs: ['kill'], show: showPhantoms },
  { id: 'W15', needs: ['kill'], show: showRepeats },
  { id: 'W16', needs: ['kill'], show: showKills },
  { id: 'W17', needs: ['postgres', 'terminate'], show: showPostgres },
  { id: 'U1', needs: ['kill', 'postgres'], show: showReading },
  { id: 'U2', needs: ['kill', 'postgres'], show: showReading },
  { id: 'U13', needs: ['kill', 'postgres'], show: showReading },
  { id: 'U11', needs: ['open-transaction'], show: showStuckWriter },
  { id: 'R5', needs: ['redis'], alone: true, show: showRedis },
  {
    id: 'A12',
    needs: ['snapshot'],
    alone: true,
    show: ran => judgeSnapshot(ran.arrivals, of(ran, 'snapshot')[0]!),
  },
  { id: 'A13', needs: ['disk-postgres'], show: showDisk },
  { id: 'A14', needs: ['clock'], show: showClock },
  { id: 'F4', needs: ['disk-files'], show: showStorage },
  { id: 'F10', needs: ['kill'], show: showHalfFiles },
]

/** Prints the result for each promise, and stores it with `--record`. */
export function showPromises(ran: Ran): void {
  const seen = new Set(ran.happenings.map(({ fault }) => fault))
  for (const { id, needs, alone, show } of shows) {
    if (!needs.every(name => seen.has(name)) || (alone && seen.size > 1)) continue
    const shown = show(ran)
    console.log(`${id} ${shown.isKept ? 'kept' : 'MISSED'}: ${shown.measured}`)
    record(id, shown)
  }
}
