import { mkdirSync } from 'node:fs'
import { loadavg } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../../src/core/config/config.ts'
import { openShowroom, type Showroom } from '../../test/showroom.ts'
import { printTable, round } from '../figures.ts'
import { seed } from '../seed/seed.ts'
import type { Row } from './frames.ts'
import { measureSwitching, measureTyping } from './keys.ts'
import { measureFirstLoad, measureList } from './list.ts'
import { measureOpening } from './opening.ts'

/** Measures how soon the dashboard shows tickets and letters, and how much it loads and keeps, in Chromium. */

async function firstTicket({ db, projectId }: Showroom): Promise<string> {
  const [row] = await db<{ number: number }[]>`
    select t.number from ticket_activity a join tickets t on t.project_id = a.project_id and t.id = a.ticket_id
    where a.project_id = ${projectId} and a.status <> 'closed' and not a.is_spam and t.snoozed_until is null
    order by a.last_message_at desc nulls last, a.ticket_id desc limit 1`
  return `/p/${projectId}/inbox/open/${row!.number}`
}

const options = {
  tickets: { type: 'string', default: '100000' },
  rounds: { type: 'string', default: '10' },
  switches: { type: 'string', default: '50' },
  letters: { type: 'string', default: '100' },
  rows: { type: 'string', default: '10000' },
  only: { type: 'string', default: 'load,open,switch,type,list' },
  dir: { type: 'string', default: 'data/bench' },
} as const

export async function page(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const tickets = Number(values.tickets)
  const dataDir = resolve(root, values.dir, `page-${tickets}`)
  mkdirSync(dataDir, { recursive: true })
  const showroom = await openShowroom(dataDir, 'Seeded')
  try {
    if (await isEmpty(showroom)) await fill(showroom, tickets)
    const path = await firstTicket(showroom)
    const parts: Record<string, () => Promise<Row[]>> = {
      load: () => measureFirstLoad(showroom),
      open: () => measureOpening(showroom, path, Number(values.rounds)),
      switch: () => measureSwitching(showroom, path, Number(values.switches)),
      type: () => measureTyping(showroom, Number(values.letters)),
      list: () => measureList(showroom, Math.min(Number(values.rows), tickets)),
    }
    const rows: Row[] = []
    for (const name of values.only.split(',')) rows.push(...(await parts[name]!()))
    const printed = rows.map(([what, wanted, measured, isKept]) => [
      what,
      wanted,
      measured,
      isKept ? '' : 'MISSED',
    ])
    const load = loadavg().map(one => round(one, 1))
    console.log(`load of the machine: ${load.join(', ')}`)
    console.log(printTable([`${tickets} tickets`, 'wanted below', 'measured', ''], printed))
    return rows.every(([, , , isKept]) => isKept) ? 0 : 1
  } finally {
    await showroom.close()
  }
}

async function isEmpty({ db, projectId }: Showroom): Promise<boolean> {
  const [row] = await db`select from tickets where project_id = ${projectId} limit 1`
  return row === undefined
}

async function fill({ db, projectId }: Showroom, tickets: number): Promise<void> {
  const size = { tickets, messages: tickets * 5, contacts: Math.ceil(tickets / 5), events: 10_000, seed: 1 }
  await seed(db, { ...size, projectId }, text => process.stderr.write(text))
}
