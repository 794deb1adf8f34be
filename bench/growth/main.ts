import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../../src/core/config.ts'
import { type Caller, openCaller } from '../calls.ts'
import { median, printTable, round } from '../figures.ts'
import { type Server, startServer } from '../server.ts'
import { type Case, cases, searchLimit } from './cases.ts'
import { type Place, preparePlace } from './data.ts'
import { type Sample, takeSample } from './sample.ts'

const options = {
  dir: { type: 'string', default: 'data/bench' },
  tickets: { type: 'string', default: '1000000' },
  messages: { type: 'string', default: '5000000' },
  only: { type: 'string', default: '' },
  runs: { type: 'string', default: '9' },
  json: { type: 'boolean', default: false },
} as const

/** Two connections: each soon runs every statement often enough for Postgres to choose a plan for good. */
const settings = { ROLES: 'http', DATABASE_POOL: '2' }
const warmUp = 12

interface Stage {
  server: Server
  caller: Caller
  sample: Sample
}

async function open({ dataDir, key, ids }: Place): Promise<Stage> {
  const server = await startServer({ ...settings, DATA_DIR: dataDir })
  const caller = openCaller(server.url, key)
  return { server, caller, sample: await takeSample(caller, ids) }
}

interface Measured {
  ms: number
  found: string
}

/** The median of some runs after a warm-up; a slow one is told sooner. */
async function measure({ caller, sample }: Stage, { path }: Case, runs: number): Promise<Measured> {
  const address = path(sample)
  const times: number[] = []
  let text = ''
  const begun = performance.now()
  for (let run = 0; run < warmUp + runs; run++) {
    const answer = await caller.get(address)
    if (answer.status !== 200) return { ms: Number.NaN, found: String(answer.status) }
    times.push(answer.ms)
    text = answer.text
    if (performance.now() - begun > 6_000) break
  }
  const { items, total } = JSON.parse(text)
  return {
    ms: median(times.length > warmUp ? times.slice(warmUp) : times),
    found: String(total ?? items?.length ?? 1),
  }
}

interface Row extends Record<'small' | 'large' | 'ratio', number> {
  name: string
  found: string
  verdict: string
}

function judge({ name, group }: Case, small: Measured, large: Measured): Row {
  const ratio = large.ms / small.ms
  const limit = group === 'search' ? searchLimit(name) : 50
  const faults = [
    ...(large.ms < limit ? [] : [`over ${limit} ms`]),
    ...(group === 'search' || ratio <= 3 ? [] : ['over 3×']),
  ]
  const verdict = faults.join(', ') || 'ok'
  return {
    name,
    found: large.found,
    small: round(small.ms),
    large: round(large.ms),
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
  const head = ['page', 'found', `${small}, ms`, `${large}, ms`, 'ratio', '']
  const missed = rows.filter(row => row.verdict !== 'ok')
  console.log(
    printTable(
      head,
      rows.map(row => [row.name, row.found, row.small, row.large, row.ratio, row.verdict]),
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
  const chosen = cases.filter(one => new RegExp(values.only).test(one.name))
  const small = await open(await preparePlace(folder, 1_000, 5_000))
  const large = await open(await preparePlace(folder, tickets, Number(values.messages)))
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
