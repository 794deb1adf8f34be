import type { Db, Sql } from '../../src/core/db/db.ts'
import { createProject, findProject } from '../../src/projects/projects.ts'
import { filled, withoutIndexes } from './bulk.ts'
import { insertActivity, insertEvents, insertMessages, prepareLong } from './messages.ts'
import { insertContacts, insertStaff } from './people.ts'
import { prepare } from './prepare.ts'
import { insertTickets } from './tickets.ts'
import { makeTexts } from './words.ts'

export interface Size {
  tickets: number
  messages: number
  contacts: number
  /** How many of the newest messages also get an event in the log. */
  events: number
  seed: number
}

/** A run of the seed: the project, and its ranges of numbers. */
export interface Run extends Size {
  projectId: string
  firstNumber: number
}

export interface Seeded {
  project_id: string
  tickets: number
  messages: number
  contacts: number
  seconds: number
}

type Tell = (text: string) => void
const batch = 100_000
const isLarge = (size: Size) => size.tickets + size.messages > 50_000

/** Runs `insert` over 1…count in batches and shows the progress. */
async function inBatches(
  what: string,
  count: number,
  tell: Tell,
  insert: (from: number, to: number) => Promise<unknown>,
) {
  const begun = performance.now()
  for (let from = 1; from <= count; from += batch) {
    const to = Math.min(count, from + batch - 1)
    await insert(from, to)
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    tell(`\r${what}: ${to} of ${count}, ${seconds} s${to === count ? '\n' : ''}`)
  }
}

async function fill(sql: Sql, run: Run, tell: Tell): Promise<void> {
  await insertStaff(sql, run)
  await inBatches('contacts', run.contacts, tell, (from, to) => insertContacts(sql, run, from, to))
  await inBatches('tickets', run.tickets, tell, (from, to) => insertTickets(sql, run, from, to))
  await prepareLong(sql, run)
  await inBatches('messages', run.messages, tell, (from, to) => insertMessages(sql, run, from, to))
  await insertActivity(sql, run)
  await insertEvents(sql, run)
}

async function takeNumbers(sql: Sql, projectId: string, { tickets }: Size): Promise<number> {
  const [row] = await sql<{ last: number }[]>`
    update project_counters set ticket_number = ticket_number + ${tickets}::bigint
    where project_id = ${projectId} returning ticket_number as last`
  return row!.last - tickets + 1
}

/** Creates tickets with messages in one project, in one transaction. */
export async function seed(
  db: Db,
  { projectId: given, ...size }: Size & { projectId: string | null },
  tell: Tell,
): Promise<Seeded> {
  const begun = performance.now()
  const projectId = given
    ? (await findProject(db, given)).id
    : (await createProject(db, { name: 'Seeded' })).id
  await db.begin(async transaction => {
    const sql = transaction as unknown as Sql
    await prepare(sql, size, makeTexts(size.seed))
    const run = { ...size, projectId, firstNumber: await takeNumbers(sql, projectId, size) }
    const load = () => fill(sql, run, tell)
    if (isLarge(size)) await withoutIndexes(sql, load, tell)
    else await load()
  })
  for (const table of filled) await db.unsafe(`vacuum (analyze) ${table}`)
  const seconds = Math.round((performance.now() - begun) / 1000)
  return {
    project_id: projectId,
    tickets: size.tickets,
    messages: size.messages,
    contacts: size.contacts,
    seconds,
  }
}
