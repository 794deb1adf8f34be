import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../../src/core/config/config.ts'
import type { Db } from '../../src/core/db/db.ts'
import { openDataDir } from '../data.ts'
import { printTable, round, time } from '../figures.ts'
import { preparePlace } from '../growth/data.ts'
import { cases } from './cases.ts'
import { cleanUp } from './cleanup.ts'
import { type Filled, fill } from './fill.ts'

const options = {
  dir: { type: 'string', default: 'data/bench' },
  tickets: { type: 'string', default: '1000,100000,1000000' },
  only: { type: 'string', default: '' },
  runs: { type: 'string', default: '7' },
  cleanup: { type: 'string' },
} as const

/** Times below this many ms count as equal, because the difference is imperceptible. */
const unnoticed = 10
const limit = 50

const projectOf = async (db: Db): Promise<string> =>
  (await db<{ project_id: string }[]>`select project_id from tickets limit 1`)[0]!.project_id

async function prepare(db: Db, tickets: number): Promise<Filled> {
  const project = await projectOf(db)
  // The job that closes inactive tickets finds none, but must check every pending ticket.
  await db`update projects set auto_close_days = 3650 where id = ${project}`
  // Nothing becomes due, regardless of the folder's age.
  await db`
    update tickets set snoozed_until = now() + interval '30 days'
    where project_id = ${project} and snoozed_until < now() + interval '1 day'`
  let isNew = false
  const place = await db.begin(async sql => {
    const [before] = await sql`select from webhooks where description = 'bench/records'`
    isNew = !before
    return fill(sql as never, project, tickets)
  })
  if (isNew) await db`vacuum (analyze)`
  return place as Filled
}

async function measure(folder: string, tickets: number, only: RegExp, runs: number) {
  const { dataDir } = await preparePlace(folder, tickets, 5 * tickets)
  const { db, close } = await openDataDir(dataDir, 4)
  try {
    const place = await prepare(db, tickets)
    const times = new Map<string, number>()
    for (const { name, run } of cases.filter(({ name }) => only.test(name)))
      times.set(name, await time(() => run(db, place), runs))
    return times
  } finally {
    await close()
  }
}

function judge(times: number[]): string {
  const last = times.at(-1)!
  if (last > limit) return `over ${limit} ms`
  return last <= unnoticed || last <= 3 * times[0]! ? 'ok' : 'over 3×'
}

/** Measures the cleanup in the largest project. */
async function measureCleanup(folder: string, tickets: number, count: number): Promise<number> {
  const { dataDir } = await preparePlace(folder, tickets, 5 * tickets)
  const { db, close } = await openDataDir(dataDir, 4)
  try {
    return (await cleanUp(db, count)) ? 0 : 1
  } finally {
    await close()
  }
}

/** Measures every other list, claim and job in projects of several sizes. None may become slower with the size. */
export async function records(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const sizes = values.tickets.split(',').map(Number)
  const folder = resolve(root, values.dir)
  if (values.cleanup) return measureCleanup(folder, sizes.at(-1)!, Number(values.cleanup))
  const measured: Map<string, number>[] = []
  for (const size of sizes)
    measured.push(
      await measure(resolve(root, values.dir), size, new RegExp(values.only), Number(values.runs)),
    )
  const rows = [...measured[0]!.keys()].map(name => {
    const times = measured.map(times => times.get(name)!)
    return { name, times, verdict: judge(times) }
  })
  const head = ['asked', ...sizes.map(size => `${size}, ms`), '']
  console.log(
    printTable(
      head,
      rows.map(({ name, times, verdict }) => [name, ...times.map(time => round(time, 1)), verdict]),
    ),
  )
  return rows.every(({ verdict }) => verdict === 'ok') ? 0 : 1
}
