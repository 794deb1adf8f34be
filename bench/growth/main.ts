import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../../src/core/config/config.ts'
import { type Caller, openCaller } from '../calls.ts'
import { percentile, printTable, round } from '../figures.ts'
import { openMeter } from '../processor.ts'
import { type Server, startServer } from '../server.ts'
import { type Case, cases, searchLimit } from './cases.ts'
import { type Place, preparePlace } from './data.ts'
import { type Sample, takeSample } from './sample.ts'

const options = {
  dir: { type: 'string', default: 'data/bench' },
  tickets: { type: 'string', default: '1000000' },
  messages: { type: 'string', default: '5000000' },
  only: { type: 'string', default: '' },
  runs: { type: 'string', default: '5' },
  deep: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

const settings = { ROLES: 'http', DATABASE_POOL: '4' }
const warmUp = 2

/** Times below this many ms count as equal, because the difference is imperceptible. */
const unnoticed = 10

interface Stage {
  server: Server
  caller: Caller
  sample: Sample
  /** The processor time of the server and its Postgres so far, in milliseconds. */
  meter: () => number
}

async function open({ dataDir, key, ids }: Place): Promise<Stage> {
  const server = await startServer({ ...settings, DATA_DIR: dataDir })
  const caller = openCaller(server.url, key)
  const spent = openMeter(server, dataDir)
  const meter = () => spent().server + spent().database
  return { server, caller, sample: await takeSample(caller, ids), meter }
}

interface Measured {
  ms: number
  /** The processor time in milliseconds. */
  cpu: number
  found: string
}

/** The median of some runs after a warm-up. For prefixes and typing errors, the 95th percentile. */
async function measure(
  { caller, sample, meter }: Stage,
  { path, group }: Case,
  least: number,
): Promise<Measured> {
  const runs = group === 'meant' ? Math.max(least, 20) : least
  const address = path(sample)
  const times: number[] = []
  let text = ''
  let before = 0
  for (let run = 0; run < warmUp + runs; run++) {
    if (run === warmUp) before = meter()
    const answer = await caller.get(address)
    if (answer.status !== 200) return { ms: Number.NaN, cpu: Number.NaN, found: String(answer.status) }
    times.push(answer.ms)
    text = answer.text
  }
  const { items, total } = JSON.parse(text)
  return {
    ms: percentile(times.slice(warmUp), group === 'meant' ? 0.95 : 0.5),
    cpu: (meter() - before) / runs,
    found: String(total ?? items?.length ?? 1),
  }
}

interface Row extends Record<'small' | 'large' | 'cpu' | 'ratio', number> {
  name: string
  found: string
  verdict: string
}

/** The smaller of wall-clock and processor time, because other programs may have delayed the request. */
const timeOf = ({ ms, cpu }: Measured): number => (cpu < ms ? cpu : ms)

function judge({ name, group }: Case, small: Measured, large: Measured): Row {
  const time = timeOf(large)
  const ratio = time / timeOf(small)
  const isSearch = group === 'search' || group === 'meant'
  const limit = isSearch ? searchLimit(name) : 50
  const faults = [
    ...(time < limit ? [] : [`over ${limit} ms`]),
    ...(isSearch || ratio <= 3 || time < unnoticed ? [] : ['over 3×']),
  ]
  const verdict = faults.join(', ') || 'ok'
  return {
    name,
    found: large.found,
    small: round(small.ms),
    large: round(large.ms),
    cpu: round(large.cpu),
    ratio: round(ratio),
    verdict,
  }
}

async function compare(small: Stage, large: Stage, runs: number, chosen: Case[]): Promise<Row[]> {
  const rows: Row[] = []
  for (const one of chosen) {
    rows.push(judge(one, await measure(small, one, runs), await measure(large, one, runs)))
    if (process.stderr.isTTY) process.stderr.write(`\r${rows.length} of ${chosen.length}`)
  }
  return rows
}

function report(rows: Row[], small: number, large: number): void {
  const head = ['page', 'found', `${small}, ms`, `${large}, ms`, 'CPU, ms', 'ratio', '']
  const missed = rows.filter(row => row.verdict !== 'ok')
  console.log(
    printTable(
      head,
      rows.map(row => [row.name, row.found, row.small, row.large, row.cpu, row.ratio, row.verdict]),
    ),
  )
  console.log(
    `\n${rows.length - missed.length} of ${rows.length} within their limits; slowest ${Math.max(...rows.map(row => row.large))} ms`,
  )
}

export async function growth(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const folder = resolve(root, values.dir)
  const tickets = Number(values.tickets)
  const chosen = cases.filter(one => (values.deep || !one.isDeep) && new RegExp(values.only).test(one.name))
  if (chosen.length === 0) throw new Error(`--only: no page is called ${values.only}`)
  const small = await open(await preparePlace(folder, 1_000, 5_000))
  const large = await open(await preparePlace(folder, tickets, Number(values.messages)))
  // Both projects use the same page numbers, which depend on the large one.
  small.sample.totals = large.sample.totals
  try {
    const rows = await compare(small, large, Number(values.runs), chosen)
    if (values.json) console.log(JSON.stringify(rows))
    else report(rows, 1_000, tickets)
    return rows.some(row => row.verdict !== 'ok') ? 1 : 0
  } finally {
    for (const { caller, server } of [small, large]) {
      caller.close()
      await server.stop()
    }
  }
}
