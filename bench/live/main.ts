import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { newId } from '../../src/core/ids.ts'
import { openCaller } from '../calls.ts'
import { openDataDir } from '../data.ts'
import { percentile, printTable, round } from '../figures.ts'
import { type Server, startServer } from '../server.ts'
import { clock, countStatements, processorSeconds, residentKb, type Stage } from '../updates/stage.ts'
import type { Order, Report, Seat } from './clients.ts'
import { makeTeam, seatsOf, type Team } from './people.ts'

const options = {
  tabs: { type: 'string', default: '2000' },
  seconds: { type: 'string', default: '15' },
} as const

type Row = [what: string, wanted: string, measured: string, isKept: boolean]

const tabsEach = 10

async function tell(clients: ChildProcess, order: Order): Promise<Report> {
  clients.send(order)
  const [report] = await once(clients, 'message')
  return report as Report
}

/** Processor time, and statements a second, while `seconds` pass. */
async function measureTime(stage: Stage, seconds: number): Promise<[cpu: number, statements: number]> {
  const begun = [processorSeconds(stage), await countStatements(stage)] as const
  await sleep(seconds * 1_000)
  const cpu = ((processorSeconds(stage) - begun[0]) / seconds) * 100
  return [cpu, ((await countStatements(stage)) - begun[1]) / seconds]
}

/** Tabs are open and nothing happens: for less than 45 seconds nobody beats, then all do. */
async function hold(stage: Stage, seats: Seat[], seconds: number): Promise<Row[]> {
  const { clients, server } = stage
  const half = seats.length / 2
  const open = (part: Seat[]) => tell(clients, { name: 'open', port: server.port, seats: part })
  await open(seats.slice(0, half))
  await tell(clients, { name: 'beat', everyMs: 20_000 })
  await sleep(2_000)
  const before = residentKb(stage)
  const begun = clock()
  await open(seats.slice(half))
  const opened = (clock() - begun) / 1_000
  await tell(clients, { name: 'beat', everyMs: 0 })
  await sleep(2_000)
  // The first half has grown what all share.
  const each = (residentKb(stage) - before) / half
  const [idle, statements] = await measureTime(stage, seconds)
  await tell(clients, { name: 'beat', everyMs: 20_000 })
  const [beating] = await measureTime(stage, 20)
  const { failures } = await tell(clients, { name: 'take' })
  return [
    [`${seats.length} tabs: memory of each`, '100 KB', `${round(each, 1)} KB`, each <= 100],
    ['opening the second half of them', '', `${round(opened, 1)} s`, true],
    ['processor time while nothing happens', '3 %', `${round(idle, 1)} %`, idle <= 3],
    ['statements a second, jobs included', '', `${round(statements, 1)}`, true],
    ['processor time while each tab beats every 20 s', '', `${round(beating, 1)} %`, true],
    ['streams that ended, beats that failed', '0', `${failures}`, failures === 0],
  ]
}

/** Creates tickets at a fixed rate in a project where many tabs are open. */
async function follow(
  { clients, server }: Stage,
  team: Team,
  [rate, seconds, limit]: [rate: number, seconds: number, limit: number | null],
): Promise<Row> {
  const caller = openCaller(server.url, team.key)
  const writes: Promise<unknown>[] = []
  const begun = clock()
  while (writes.length < rate * seconds) {
    await sleep(Math.max(0, begun + (writes.length * 1_000) / rate - clock()))
    const contact = { email: 'ann@example.com' }
    writes.push(caller.call('POST', '/tickets', { contact, subject: String(clock()) }))
  }
  await Promise.all(writes)
  caller.close()
  await sleep(2_000)
  const { took, failures } = await tell(clients, { name: 'take' })
  const tabs = team.cookies.length * tabsEach
  const missing = tabs * rate * seconds - took.length
  const [p50, p99] = [percentile(took, 0.5), percentile(took, 0.99)]
  return [
    `${tabs} tabs of one project, ${rate} tickets a second`,
    limit ? `p99 ${limit} ms, none missing` : 'none missing',
    `p50 ${round(p50, 1)} ms, p99 ${round(p99, 1)} ms, ${missing} missing`,
    failures + missing === 0 && (!limit || p99 <= limit),
  ]
}

/** Somebody looks at one ticket after the other. */
async function look({ clients, server }: Stage, team: Team, seat: Seat): Promise<Row> {
  const took: number[] = []
  const tabs = team.cookies.length * tabsEach
  for (let times = 0; times < 10; times++) {
    const ticket_id = newId()
    await tell(clients, { name: 'watch', ticketId: ticket_id })
    const begun = clock()
    await fetch(`${server.url}/api/dashboard/projects/${team.projectId}/presence`, {
      method: 'POST',
      headers: {
        cookie: seat.cookie,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ tab: seat.tab, ticket_id, is_typing: false }),
    })
    await sleep(2_000)
    const { seenAt } = await tell(clients, { name: 'take' })
    took.push(...seenAt.map(at => at - begun))
  }
  const p99 = percentile(took, 0.99)
  return [
    'who looks at which ticket, told to them',
    'p99 1 s',
    `p50 ${round(percentile(took, 0.5), 1)} ms, p99 ${round(p99, 1)} ms, ${took.length} of ${tabs * 10}`,
    p99 <= 1_000 && took.length >= tabs * 10,
  ]
}

async function measure(stage: Stage, tabs: number, seconds: number): Promise<boolean> {
  const people = tabs / tabsEach
  const crowd = await makeTeam(stage.db, stage.server, people / 2)
  const small: Team[] = []
  for (let at = 0; at < people / 4; at++) small.push(await makeTeam(stage.db, stage.server, 2))
  const seats = [crowd, ...small].flatMap(team => seatsOf(team, tabsEach))
  const rows = [
    ...(await hold(stage, seats, seconds)),
    await follow(stage, crowd, [1, seconds, 500]),
    await follow(stage, crowd, [5, seconds, null]),
    await look(stage, crowd, seats[0]!),
  ]
  const shown = rows.map(([what, wanted, measured, isKept]) => [
    what,
    wanted,
    measured,
    isKept ? '' : 'NOT KEPT',
  ])
  console.log(printTable(['live', 'wanted', 'measured', ''], shown))
  return rows.every(([, , , isKept]) => isKept)
}

/** Open dashboards: what they cost, and how soon they are told. */
export async function live(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const dataDir = mkdtempSync(join(tmpdir(), 'deskbell-bench-'))
  const server: Server = await startServer({ DATA_DIR: dataDir, LIVE_TABS_PER_PROCESS: values.tabs })
  const clients = fork(join(import.meta.dirname, 'clients.ts'))
  const { db, close } = await openDataDir(dataDir)
  try {
    return (await measure({ server, db, clients }, Number(values.tabs), Number(values.seconds))) ? 0 : 1
  } finally {
    clients.disconnect()
    await close()
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
