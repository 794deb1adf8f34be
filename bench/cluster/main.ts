import { parseArgs } from 'node:util'
import { printTable } from '../figures.ts'
import type { PromiseId } from '../promises.ts'
import { record } from '../results.ts'
import { pause, share, startLimited, tellApart } from './budget.ts'
import { describeMissing } from './postgres.ts'
import { compare } from './posting.ts'
import { passThrough, waitLong } from './proxy.ts'
import { restartEach } from './restart.ts'
import { maintain, revoke } from './revoke.ts'
import { type Cluster, type Kind, type Row, startCluster } from './stage.ts'
import { tellAcross } from './told.ts'

const options = {
  pollers: { type: 'string', default: '2000' },
  rate: { type: 'string', default: '20' },
  rounds: { type: 'string', default: '9' },
  seconds: { type: 'string', default: '3' },
  connections: { type: 'string', default: '32' },
  only: { type: 'string' },
} as const

const kinds: Record<string, Kind> = {
  redis: { name: 'Redis, without PgBouncer', hasPgbouncer: false, hasRedis: true },
  pgbouncer: { name: 'PgBouncer, without Redis', hasPgbouncer: true, hasRedis: false },
}

type Chosen = { [Name in Exclude<keyof typeof options, 'only'>]: number }

/** The results, by promise. */
type Shown = Record<'U12' | 'U9' | 'A8' | 'R1' | 'R5' | 'rest', Row[]>

async function measure(
  cluster: Cluster,
  { pollers, rate, rounds, seconds, connections }: Chosen,
): Promise<Shown> {
  const U12 = await restartEach(cluster, pollers, rate)
  const U9 = await revoke(cluster, rounds)
  const A8 = await maintain(cluster, rounds)
  const limited = await startLimited(cluster)
  const waiting = waitLong(cluster)
  const R1 = await share(cluster, limited)
  const apart = await tellApart(cluster, limited)
  await Promise.all(limited.map(({ server }) => server.stop()))
  const R5 = cluster.redis ? await pause(cluster, cluster.redis) : []
  const across = await tellAcross(
    cluster,
    cluster.settings.DATABASE_URL!.includes('prepare=false') ? 1_000 : 500,
  )
  const posting = await compare(cluster, { seconds, rounds: 5, connections })
  return {
    U12,
    U9,
    A8,
    R1,
    R5,
    rest: [apart, across, ...posting, ...(await passThrough(cluster)), await waiting],
  }
}

async function runOne(kind: Kind, chosen: Chosen): Promise<Shown> {
  const undo: (() => unknown)[] = []
  try {
    const cluster = await startCluster(kind, chosen.pollers, { after: step => undo.push(step) })
    const shown = await measure(cluster, chosen)
    const rows = Object.values(shown).flat()
    const cells = rows.map(([what, wanted, seen, isKept]) => [what, wanted, seen, isKept ? '' : 'NOT KEPT'])
    console.log(`${printTable([kind.name, 'wanted', 'measured', ''], cells)}\n`)
    return shown
  } finally {
    for (const step of undo.reverse()) await step()
  }
}

/** The rows for each promise, from the first of several runs. */
const pick: Partial<Record<PromiseId, (shown: Shown) => Row[]>> = {
  U9: ({ U9 }) => U9.slice(1),
  U12: ({ U12 }) => U12.slice(0, 3),
  R4: ({ R1 }) => R1.slice(1),
  R5: ({ R5 }) => R5,
  A7: ({ U9 }) => U9,
  A8: ({ A8 }) => A8,
}

function recordAll(runs: [name: string, shown: Shown][]): void {
  for (const [id, rowsOf] of Object.entries(pick)) {
    const told = runs.flatMap(([name, shown]) => {
      const rows = rowsOf(shown)
      const words = rows.map(([what, , seen]) => `${what}: ${seen}`).join('; ')
      return rows.length
        ? [{ text: `${name}: ${words}`, isKept: rows.every(([, , , isKept]) => isKept) }]
        : []
    })
    if (told.length === 0) continue
    const measured = told.map(({ text }) => text).join('. ')
    record(id as PromiseId, { measured, isKept: told.every(({ isKept }) => isKept) })
  }
}

/** The promises of several processes behind nginx with one PostgreSQL. */
export async function cluster(args: string[]): Promise<number> {
  const { only, ...words } = parseArgs({ args, options }).values
  const missing = describeMissing()
  if (missing) {
    console.error(missing)
    return 2
  }
  const chosen = Object.fromEntries(
    Object.entries(words).map(([name, text]) => [name, Number(text)]),
  ) as Chosen
  const runs: [string, Shown][] = []
  for (const [name, kind] of Object.entries(kinds))
    if (!only || only === name) runs.push([kind.name, await runOne(kind, chosen)])
  recordAll(runs)
  const rows = runs.flatMap(([, shown]) => Object.values(shown).flat())
  return rows.every(([, , , isKept]) => isKept) ? 0 : 1
}
