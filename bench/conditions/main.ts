import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Condition } from '../../src/conditions/schema.ts'
import { root } from '../../src/core/config/config.ts'
import type { Db } from '../../src/core/db/db.ts'
import type { Caller } from '../../src/core/endpoint.ts'
import { newId } from '../../src/core/ids.ts'
import { searchAll } from '../../src/search/search.ts'
import { listViewTickets } from '../../src/views/views.ts'
import { openDataDir } from '../data.ts'
import { printTable, round, time } from '../figures.ts'
import { preparePlace } from '../growth/data.ts'
import { preparePerson } from '../inbox/person.ts'
import { record } from '../results.ts'
import { listCases, questions, type Words } from './cases.ts'

const options = {
  dir: { type: 'string', default: 'data/bench' },
  tickets: { type: 'string', default: '100000' },
  messages: { type: 'string', default: '100000' },
  runs: { type: 'string', default: '5' },
  only: { type: 'string', default: '' },
} as const

/** The limits in milliseconds. Counting ends after a second. */
const limits = { list: 200, count: 1_100, search: 200 }

const sorts = ['-last_message_at', 'waiting_since']

type Row = [name: string, found: string, ms: number, limit: number]

/** The words with these shares of the subjects. */
async function findWords(db: Db, { project }: Caller): Promise<Words> {
  const rows = await db<{ word: string }[]>`
    select word from tickets t, regexp_split_to_table(lower(t.subject), ' ') as word
    where t.project_id = ${project.id} group by word order by count(*) desc, word`
  const at = (place: number) => rows[Math.floor(place * (rows.length - 1))]!.word
  return { common: at(0), usual: at(0.01), rare: at(1) }
}

/** Gives every tenth ticket a value of a custom field. */
async function prepareField(db: Db, { project }: Caller): Promise<void> {
  await db`
    insert into custom_fields (project_id, id, record, key, label, type, position)
    values (${project.id}, ${newId()}, 'ticket', 'plan', 'Plan', 'text', 0) on conflict do nothing`
  await db`
    update tickets set custom_fields = '{"plan": "The pro plan"}'
    where project_id = ${project.id} and number % 10 = 0 and custom_fields = '{}'`
  await db`vacuum analyze tickets`
}

async function measureList(db: Db, person: Caller, [name, condition]: [string, Condition], runs: number) {
  const conditions = JSON.stringify(condition)
  const rows: Row[] = []
  const { total } = await listViewTickets(db, person, { view: 'all', conditions, page_size: 1 })
  const found = String(total ?? 'not counted')
  for (const sort of sorts) {
    const page = { view: 'all', conditions, sort, page_size: 40, count: false }
    rows.push([
      `${name}: ${sort}`,
      found,
      await time(() => listViewTickets(db, person, page), runs),
      limits.list,
    ])
  }
  const count = { view: 'all', conditions, page_size: 1 }
  rows.push([
    `${name}: total`,
    found,
    await time(() => listViewTickets(db, person, count), runs),
    limits.count,
  ])
  return rows
}

async function measureSearch(
  { db, person }: { db: Db; person: Caller },
  q: string,
  runs: number,
): Promise<Row> {
  const search = () => searchAll(db, person.project.id, person.actor.id, q)
  const found = Object.values(await search()).reduce((sum, { length }) => sum + length, 0)
  return [`command bar: ${q}`, String(found), await time(search, runs), limits.search]
}

async function measureAll(db: Db, runs: number, only: RegExp): Promise<Row[]> {
  const person = await preparePerson(db)
  await prepareField(db, person)
  const words = await findWords(db, person)
  const [{ id: department }] = await db<[{ id: string }]>`
    select id from departments where project_id = ${person.project.id} order by name limit 1`
  const rows: Row[] = []
  for (const one of listCases({ department, words }))
    if (only.test(one[0])) rows.push(...(await measureList(db, person, one, runs)))
  for (const q of questions)
    if (only.test(`command bar: ${q}`)) rows.push(await measureSearch({ db, person }, q, runs))
  return rows
}

function keep(rows: Row[]): void {
  const slowest = (limit: number, isOne: (name: string) => boolean) => {
    const those = rows.filter(([name, , , own]) => own === limit && isOne(name))
    return those.length ? Math.max(...those.map(([, , ms]) => ms)) : null
  }
  const isSearch = (name: string) => name.startsWith('command bar')
  const list = slowest(limits.list, name => !isSearch(name))
  const search = slowest(limits.search, isSearch)
  if (list !== null)
    record('D1', {
      measured: `the slowest of ${rows.length} took ${round(list, 0)} ms`,
      isKept: list <= limits.list,
    })
  if (search !== null)
    record('D2', { measured: `the slowest took ${round(search, 0)} ms`, isKept: search <= limits.search })
}

/** Lists with conditions and the search of the command bar, without HTTP. */
export async function conditions(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const folder = resolve(root, values.dir)
  const { dataDir } = await preparePlace(folder, Number(values.tickets), Number(values.messages))
  const { db, close } = await openDataDir(dataDir, 4)
  try {
    const rows = await measureAll(db, Number(values.runs), new RegExp(values.only))
    const shown = rows.map(([name, found, ms, limit]) => [
      ...[name, found, round(ms, 1)],
      ms <= limit ? '' : `over ${limit} ms`,
    ])
    process.stdout.write(`${printTable(['asked', 'found', 'ms', ''], shown)}\n`)
    keep(rows)
    return rows.every(([, , ms, limit]) => ms <= limit) ? 0 : 1
  } finally {
    await close()
  }
}
