import { mkdirSync } from 'node:fs'
import { loadavg } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { BrowserContext, Page } from 'playwright-core'
import { root } from '../../src/core/config/config.ts'
import { openShowroom, type Showroom } from '../../test/showroom.ts'
import { median, percentile, printTable, round } from '../figures.ts'
import { seed } from '../seed/seed.ts'

/** Measures how soon the dashboard shows tickets, in Chromium. */

type Row = [what: string, wanted: string, measured: string, isKept: boolean]

const seen = '[role=log] article'

/** The timeout in milliseconds. */
const longest = 5_000

/** Runs `act` in the page and resolves at the frame in which `isThere` becomes true. Checking every frame would distort the measurement. */
const atFrame = (isThere: string, act: string): string => `{
  const look = () => {
    if (!(${isThere})) return false
    watch.disconnect()
    requestAnimationFrame(() => setTimeout(${act}))
    return true
  }
  const watch = new MutationObserver(look)
  if (!look()) watch.observe(document, { subtree: true, childList: true, characterData: true })
}`

/** Measured in the page itself, after the frame that shows the tickets was rendered. */
const untilShown = (page: Page): Promise<number> =>
  page.evaluate(
    `new Promise((done, fail) => {
      setTimeout(fail, 30_000, new Error('Not shown within 30 s: ' + location.href))
      ${atFrame(`document.querySelector('${seen}')`, '() => done(performance.now())')}
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

interface Opening {
  ms: number
  /** The processor time of the page's main thread in milliseconds, which other programs do not affect. */
  cpu: number
  traffic: Traffic
}

async function openOnce(context: BrowserContext, path: string): Promise<Opening> {
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.goto(path, { waitUntil: 'commit' })
  const ms = await untilShown(page)
  const { metrics } = await devtools.send('Performance.getMetrics')
  const cpu = (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000
  const traffic = await countTraffic(page)
  await page.close()
  return { ms, cpu, traffic }
}

async function measureOpening(showroom: Showroom, path: string, rounds: number): Promise<Row[]> {
  const cold: Opening[] = []
  const warm: Opening[] = []
  for (let round = 0; round < rounds; round++) {
    const context = await showroom.open({ viewport: { width: 1440, height: 900 } })
    cold.push(await openOnce(context, path))
    warm.push(await openOnce(context, path))
    await context.close()
  }
  const { script, requests } = cold[0]!.traffic
  const kb = script / 1_000
  return [
    ...describeOpening('list and conversation shown, empty cache', cold),
    ...describeOpening('the same with a full cache', warm),
    ['scripts until then, compressed', '220 KB', `${round(kb, 0)} KB`, kb < 220],
    ['requests until then', '', `${requests}`, true],
  ]
}

function describeOpening(what: string, openings: Opening[]): Row[] {
  const taken = openings.map(({ ms }) => ms)
  const used = openings.map(({ cpu }) => cpu)
  return [
    [`${what}: median`, '1000 ms', `${round(median(taken), 0)} ms`, median(taken) < 1_000],
    ['  the best of them', '', `${round(Math.min(...taken), 0)} ms`, true],
    ['  processor time of the page, median', '', `${round(median(used), 0)} ms`, true],
  ]
}

/** Measures from the key to the frame with the next ticket's messages. The page listens before the key is sent. */
async function pressNext(page: Page): Promise<number> {
  await page.evaluate(
    `void (window.taken = new Promise(done => {
      const log = () => document.querySelector('[role=log]')?.textContent ?? ''
      const [path, words] = [location.pathname, log()]
      const isOther = () => location.pathname !== path && log() !== words && document.querySelector('${seen}')
      addEventListener('keydown', ({ timeStamp: begun }) => {
        setTimeout(done, ${longest}, ${longest})
        ${atFrame('isOther()', '() => done(performance.now() - begun)')}
      }, { capture: true, once: true })
    }))`,
  )
  await page.keyboard.press('j')
  return page.evaluate<number>('window.taken')
}

async function measureSwitching(showroom: Showroom, path: string, times: number): Promise<Row[]> {
  const context = await showroom.open({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.goto(path)
  await untilShown(page)
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
