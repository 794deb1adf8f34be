import { join } from 'node:path'
import type { Store } from '../../src/events/log.ts'
import { continueRemovals, importTickets, removeImport } from '../../src/imports/imports.ts'
import type { ImportedTicket } from '../../src/imports/schema.ts'
import { createProject } from '../../src/projects/projects.ts'
import { openDataDir } from '../data.ts'
import { round } from '../figures.ts'

/** Imports tickets in the own process, a hundred in a call as the API does, and removes them. */

const source = 'volume'
const messagesPerTicket = 5
const ticketsPerCall = 100
const first = Date.UTC(2024, 0)
const minuteMs = 60_000

const timeAt = (minutes: number): string => new Date(first + minutes * minuteMs).toISOString()

function makeTicket(at: number): ImportedTicket {
  const contact = { source_id: `c${at}`, email: `c${at}@example.org`, full_name: `Customer ${at}` }
  const messages: ImportedTicket['messages'] = Array.from({ length: messagesPerTicket }, (_, number) => ({
    source_id: `${at}-${number}`,
    author: number % 2 ? { type: 'operator', email: 'omar@example.com', name: 'Omar' } : { type: 'contact' },
    content: `${number + 1}. The lamp ${at} that I ordered last week arrived with a crack in its shade and does not light up.`,
    created_at: timeAt(at + number),
  }))
  return {
    source_id: `${at}`,
    subject: `A broken lamp ${at}`,
    status: 'closed',
    contact,
    created_at: timeAt(at),
    messages,
  }
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1_000
}

interface Stage {
  db: Store
  projectId: string
}

async function importAll({ db, projectId }: Stage, tickets: number): Promise<void> {
  const calls = Math.ceil(tickets / ticketsPerCall)
  for (let call = 0; call < calls; call++) {
    const begin = call * ticketsPerCall
    const length = Math.min(ticketsPerCall, tickets - begin)
    const items = Array.from({ length }, (_, at) => makeTicket(begin + at))
    await importTickets(db, { projectId, source }, items)
  }
}

/** Returns the seconds of the longest transaction. */
async function removeAll({ db, projectId }: Stage): Promise<number> {
  await removeImport(db, projectId, source)
  let longest = 0
  for (let steps = 1; steps > 0; ) {
    const seconds = await secondsOf(async () => {
      steps = await continueRemovals(db, projectId)
    })
    longest = Math.max(longest, seconds)
  }
  return longest
}

async function measure(stage: Stage, tickets: number): Promise<boolean> {
  const { db, projectId } = stage
  const messages = tickets * messagesPerTicket
  const importing = await secondsOf(() => importAll(stage, tickets))
  const { count: stored } = await db`select from messages where project_id = ${projectId}`
  let longest = 0
  const removing = await secondsOf(async () => {
    longest = await removeAll(stage)
  })
  const { count: left } = await db`select from contacts where project_id = ${projectId}`
  const rate = (seconds: number) => `in ${round(seconds, 0)} s, ${round(messages / seconds, 0)} a second`
  console.log(
    `volume  ${stored} of ${messages} messages stored ${rate(importing)}; removed ${rate(removing)}, ${left} contacts left; the longest transaction took ${round(longest, 1)} s`,
  )
  return stored === messages && left === 0
}

export async function measureVolume(folder: string, tickets: number): Promise<boolean> {
  const { db, close } = await openDataDir(join(folder, 'volume'))
  try {
    const { id: projectId } = await createProject(db, { name: 'Acme' })
    return await measure({ db, projectId }, tickets)
  } finally {
    await close()
  }
}
