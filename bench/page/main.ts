import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { BrowserContext, Page } from 'playwright-core'
import { root } from '../../src/core/config.ts'
import { openShowroom, type Showroom } from '../../test/showroom.ts'
import { median, percentile, printTable, round } from '../figures.ts'
import { seed } from '../seed/seed.ts'

/** How soon somebody who opens the dashboard reads tickets, in a real Chromium. */

type Row = [what: string, wanted: string, measured: string, isKept: boolean]

const seen = '[role=log] article'

/** After which nobody waits. */
const longest = 5_000

/** Marked in the page itself, at the frame that shows it. */
const untilShown = (page: Page, selector: string): Promise<number> =>
  page.evaluate(
    `new Promise((done, fail) => {
      const look = () => {
        if (performance.now() > 30_000) return fail(new Error('Not shown within 30 s: ' + location.href))
        requestAnimationFrame(
          document.querySelector(${JSON.stringify(selector)}) ? () => done(performance.now()) : look)
      }
      look()
    })`,
  )

interface Traffic {
  requests: number
  script: number
}

async function countTraffic(page: Page): Promise<Traffic> {
  return page.evaluate(`(() => {
    const all = performance.getEntriesByType('resource')
    const scripts = all.filter(({ name }) => name.endsWith('.js'))
    return { requests: all.length + 1, script: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) }
  })()`)
}

async function openOnce(context: BrowserContext, path: string): Promise<[ms: number, traffic: Traffic]> {
  const page = await context.newPage()
  await page.goto(path, { waitUntil: 'commit' })
  const ms = await untilShown(page, seen)
  const traffic = await countTraffic(page)
  await page.close()
  return [ms, traffic]
}

async function measureOpening(showroom: Showroom, path: string, rounds: number): Promise<Row[]> {
  const cold: number[] = []
  const warm: number[] = []
  let traffic: Traffic = { requests: 0, script: 0 }
  for (let round = 0; round < rounds; round++) {
    const context = await showroom.open({ viewport: { width: 1440, height: 900 } })
    const [first, loaded] = await openOnce(context, path)
    const [second] = await openOnce(context, path)
    cold.push(first)
    warm.push(second)
    traffic = loaded
    await context.close()
  }
  const kb = traffic.script / 1_000
  return [
    [
      'list and conversation shown, empty cache: median',
      '1000 ms',
      `${round(median(cold), 0)} ms`,
      median(cold) < 1_000,
    ],
    ['the same with a full cache: median', '1000 ms', `${round(median(warm), 0)} ms`, median(warm) < 1_000],
    ['JavaScript until then, compressed', '250 KB', `${round(kb, 0)} KB`, kb < 250],
    ['requests until then', '', `${traffic.requests}`, true],
  ]
}

/** From the key to the frame that shows the next ticket's messages. */
async function pressNext(page: Page): Promise<number> {
  const shown = page.evaluate<number>(
    `new Promise(done => {
      const log = () => document.querySelector('[role=log]')?.textContent ?? ''
      const [path, words] = [location.pathname, log()]
      const isOther = () => location.pathname !== path && log() !== words && document.querySelector('${seen}')
      addEventListener('keydown', () => {
        const begun = performance.now()
        const look = () => {
          const taken = performance.now() - begun
          if (taken > ${longest}) return done(taken)
          requestAnimationFrame(isOther() ? () => done(performance.now() - begun) : look)
        }
        look()
      }, { capture: true, once: true })
    })`,
  )
  await page.keyboard.press('j')
  return shown
}

async function measureSwitching(showroom: Showroom, path: string, times: number): Promise<Row[]> {
  const context = await showroom.open({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.goto(path)
  await untilShown(page, seen)
  const taken: number[] = []
  for (let turn = 0; turn < times; turn++) {
    await page.waitForTimeout(400)
    taken.push(await pressNext(page))
  }
  await context.close()
  const [middle, slow] = [median(taken), percentile(taken, 0.95)]
  return [
    [`${times} switches by j: median`, '150 ms', `${round(middle, 0)} ms`, middle < 150],
    ['the same: 95 of 100', '', `${round(slow, 0)} ms`, true],
  ]
}

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
} as const

export async function page(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const tickets = Number(values.tickets)
  const dataDir = join(root, `data/bench/page-${tickets}`)
  const isNew = !existsSync(dataDir)
  mkdirSync(dataDir, { recursive: true })
  const showroom = await openShowroom(dataDir, 'Seeded')
  try {
    if (isNew) await fill(showroom, tickets)
    const path = await firstTicket(showroom)
    const rows = [
      ...(await measureOpening(showroom, path, Number(values.rounds))),
      ...(await measureSwitching(showroom, path, Number(values.switches))),
    ]
    const printed = rows.map(([what, wanted, measured, isKept]) => [
      what,
      wanted,
      measured,
      isKept ? '' : 'MISSED',
    ])
    console.log(printTable([`${tickets} tickets`, 'wanted below', 'measured', ''], printed))
    return rows.every(([, , , isKept]) => isKept) ? 0 : 1
  } finally {
    await showroom.close()
  }
}

async function fill({ db, projectId }: Showroom, tickets: number): Promise<void> {
  const size = { tickets, messages: tickets * 5, contacts: Math.ceil(tickets / 5), events: 10_000, seed: 1 }
  await seed(db, { ...size, projectId }, text => process.stderr.write(text))
}
