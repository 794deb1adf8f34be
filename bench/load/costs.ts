import { printTable, round } from '../figures.ts'
import type { Meter } from '../processor.ts'
import type { Kind } from './order.ts'
import type { Load } from './overload.ts'

interface Case {
  name: string
  kinds: Kind[]
}

/** Low enough that calls do not wait for each other, and high enough that concurrent statements are shared. */
const rate = 300

/** Measures the processor time per call of each kind, including the webhooks and long-polling responses that it causes. */
export async function printCosts(
  title: string,
  loadOf: (kinds: Kind[]) => Load,
  kinds: Kind[],
  meter: Meter,
  seconds: number,
) {
  const cases: Case[] = [
    ...kinds.map(kind => ({ name: kind.name, kinds: [kind] })),
    { name: 'the mix', kinds },
  ]
  const rows: (string | number)[][] = []
  for (const { name, kinds } of cases) {
    await loadOf(kinds)(rate, 3)
    const before = meter()
    const { all } = await loadOf(kinds)(rate, seconds)
    const after = meter()
    const [server, database] = [after.server - before.server, after.database - before.database]
    rows.push([
      name,
      ...[server, database, server + database].map(ms => round(ms / all.planned, 2)),
      round(all.p50, 1),
    ])
  }
  console.log(printTable([title, 'server ms', 'Postgres ms', 'both', 'p50 ms'], rows))
}
