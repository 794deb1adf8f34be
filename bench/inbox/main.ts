import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../../src/core/config/config.ts'
import type { Db } from '../../src/core/db/db.ts'
import type { Caller } from '../../src/core/endpoint.ts'
import { listViews, listViewTickets } from '../../src/views/views.ts'
import { openDataDir } from '../data.ts'
import { printTable, round, time } from '../figures.ts'
import { preparePlace } from '../growth/data.ts'
import { isAgain, preparePerson } from './person.ts'

const options = {
  dir: { type: 'string', default: 'data/bench' },
  tickets: { type: 'string', default: '100000' },
  messages: { type: 'string', default: '500000' },
  runs: { type: 'string', default: '15' },
} as const

/** The limit in milliseconds for all views of a person together, and for the first page of each. */
const limit = 50

type Row = [name: string, found: string, ms: number]

async function measure(db: Db, person: Caller, runs: number): Promise<Row[]> {
  const views = await listViews(db, person)
  const rows: Row[] = [
    ['all views with their counts', String(views.length), await time(() => listViews(db, person), runs)],
  ]
  for (const { id, kind, name, count, is_capped } of views.filter(({ name }) => !isAgain(name))) {
    const page = { view: id, page_size: 50, count: false }
    const ms = await time(() => listViewTickets(db, person, page), runs)
    rows.push([`50 of ${name ?? kind}`, `${count}${is_capped ? '+' : ''}`, ms])
  }
  return rows
}

/** The requests of the inbox when it opens. */
export async function inbox(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const folder = resolve(root, values.dir)
  const { dataDir } = await preparePlace(folder, Number(values.tickets), Number(values.messages))
  const { db, close } = await openDataDir(dataDir)
  try {
    const rows = await measure(db, await preparePerson(db), Number(values.runs))
    const shown = rows.map(([name, found, ms]) => [
      name,
      found,
      round(ms, 1),
      ms <= limit ? '' : `over ${limit} ms`,
    ])
    process.stdout.write(`${printTable(['asked', 'tickets', 'ms', ''], shown)}\n`)
    return rows.every(([, , ms]) => ms <= limit) ? 0 : 1
  } finally {
    await close()
  }
}
