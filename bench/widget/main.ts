import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openDataDir } from '../data.ts'
import { percentile, printTable, round } from '../figures.ts'
import { makeTeam, type Team } from '../live/people.ts'
import { type Server, startServer } from '../server.ts'
import { clock, countStatements, processorSeconds, residentKb, type Stage } from '../updates/stage.ts'
import type { Order, Report, Seat } from './clients.ts'
import { beginTickets, makeVisitors } from './visitors.ts'

const options = {
  widgets: { type: 'string', default: '5000' },
  seconds: { type: 'string', default: '15' },
} as const

type Row = [what: string, wanted: string, measured: string, isKept: boolean]

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

/** The second half is measured: the first has grown what all share. */
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
  const each = (residentKb(stage) - before) / half
  const [idle, statements] = await measureTime(stage, seconds)
  await tell(clients, { name: 'beat', everyMs: 20_000 })
  const [beating] = await measureTime(stage, 20)
  const { failures } = await tell(clients, { name: 'take' })
  return [
    [`${seats.length} open widgets: memory of each`, '20 KB', `${round(each, 1)} KB`, each <= 20],
    ['opening the second half of them', '', `${round(opened, 1)} s`, true],
    ['processor time while nothing happens', '', `${round(idle, 1)} %`, true],
    ['statements a second, jobs included', '', `${round(statements, 1)}`, true],
    ['processor time while each beats every 20 s', '', `${round(beating, 1)} %`, true],
    ['streams that ended, beats that failed', '0', `${failures}`, failures === 0],
  ]
}

/** An operator answers one visitor after the other, while all widgets of the project are open. */
async function answer(
  { clients, server }: Stage,
  { projectId, cookies: [cookie = ''] }: Team,
  ticketIds: string[],
  [rate, seconds, limit]: [rate: number, seconds: number, limit: number | null],
): Promise<Row> {
  const writes: Promise<Response>[] = []
  const begun = clock()
  while (writes.length < rate * seconds) {
    await sleep(Math.max(0, begun + (writes.length * 1_000) / rate - clock()))
    const id = ticketIds[writes.length % ticketIds.length]
    const write = fetch(`${server.url}/api/dashboard/projects/${projectId}/tickets/${id}/messages`, {
      method: 'POST',
      headers: { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
      body: JSON.stringify({ content: String(clock()) }),
    })
    writes.push(write)
  }
  const refused = (await Promise.all(writes)).filter(({ status }) => status !== 201).length
  await sleep(2_000)
  const { took, failures } = await tell(clients, { name: 'take' })
  const missing = writes.length - took.length
  const [p50, p99] = [percentile(took, 0.5), percentile(took, 0.99)]
  return [
    `${rate} answers a second, each to its visitor`,
    limit ? `p99 ${limit} ms, none missing` : 'none missing',
    `p50 ${round(p50, 1)} ms, p99 ${round(p99, 1)} ms, ${missing} missing`,
    refused + failures + missing === 0 && (!limit || p99 <= limit),
  ]
}

async function measure(stage: Stage, widgets: number, seconds: number): Promise<boolean> {
  const team = await makeTeam(stage.db, stage.server, 1)
  const seats = await makeVisitors(stage.db, team.projectId, widgets)
  const ticketIds = await beginTickets(stage.server, seats.slice(0, 100))
  const rows = [
    ...(await hold(stage, seats, seconds)),
    await answer(stage, team, ticketIds, [5, seconds, 500]),
    await answer(stage, team, ticketIds, [20, seconds, null]),
  ]
  const shown = rows.map(([what, wanted, measured, isKept]) => [
    what,
    wanted,
    measured,
    isKept ? '' : 'NOT KEPT',
  ])
  console.log(printTable(['widget', 'wanted', 'measured', ''], shown))
  return rows.every(([, , , isKept]) => isKept)
}

/** Open widgets: what they cost, and how soon an answer is there. */
export async function widget(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const dataDir = mkdtempSync(join(tmpdir(), 'deskbell-bench-'))
  const server: Server = await startServer({
    DATA_DIR: dataDir,
    WIDGET_VISITORS_PER_PROCESS: values.widgets,
    WIDGET_VISITORS_PER_IP: '1000000',
    RATE_LIMIT_PER_VISITOR: '1000000',
  })
  const clients = fork(join(import.meta.dirname, 'clients.ts'))
  const { db, close } = await openDataDir(dataDir)
  try {
    return (await measure({ server, db, clients }, Number(values.widgets), Number(values.seconds))) ? 0 : 1
  } finally {
    clients.disconnect()
    await close()
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
