import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ask } from '../children.ts'
import { median, printTable, round } from '../figures.ts'
import type { Load, Order } from '../machine/load.ts'
import { startMachine } from '../machine/machine.ts'
import type { Writing, Written } from '../machine/writing.ts'
import { startServer } from '../server.ts'
import { content, makeTickets, printRequest } from '../tickets.ts'
import { hasPgbench, openScript } from './pgbench.ts'

const options = {
  seconds: { type: 'string', default: '5' },
  rounds: { type: 'string', default: '5' },
  connections: { type: 'string', default: '64' },
  projects: { type: 'string', default: '1' },
  tickets: { type: 'string', default: '1000' },
} as const

/** The number of connections with the highest throughput of the database alone. */
const pool = 20

interface Round {
  driver: number
  pgbench: number
  post: Load
  bare: Load
  read: Load
}

type Phases = { [Name in keyof Round]: () => Promise<Round[Name]> }

/** Alternates between the phases, so that other programs affect all of them. */
async function measure(phases: Phases, rounds: number): Promise<Round[]> {
  const results: Round[] = []
  for (let round = 0; round <= rounds; round++) {
    const entries: [string, unknown][] = []
    for (const [name, run] of Object.entries(phases)) entries.push([name, await run()])
    // The first round is a warm-up.
    if (round > 0) results.push(Object.fromEntries(entries) as unknown as Round)
  }
  return results
}

function report(rounds: Round[]): boolean {
  const of = (pick: (round: Round) => number) => median(rounds.map(pick))
  const load = (name: 'post' | 'bare' | 'read', words: string) => [
    words,
    Math.round(of(round => round[name].perSecond)),
    round(of(round => round[name].p50)),
    round(of(round => round[name].p99)),
    round(of(round => round[name].cpu)),
  ]
  const rows = [
    ['messages, the driver alone', Math.round(of(round => round.driver)), '', '', ''],
    ['messages, pgbench alone', Math.round(of(round => round.pgbench)) || '-', '', '', ''],
    load('post', 'messages posted over HTTP'),
    load('bare', 'bare node:http, same body'),
    load('read', 'tickets read over HTTP'),
  ]
  console.log(printTable(['', 'per second', 'p50 ms', 'p99 ms', 'load CPU'], rows))
  const posting = of(({ post, driver }) => post.perSecond / driver)
  const reading = of(({ read, bare }) => read.perSecond / bare.perSecond)
  const beside = of(({ post, pgbench }) => post.perSecond / pgbench)
  console.log(
    `\nposting / the driver alone: ${round(posting)} (wanted: 0.6)${beside ? `; / pgbench: ${round(beside)}` : ''}`,
  )
  console.log(`reading / bare node:http: ${round(reading, 3)} (wanted: 0.167)`)
  const failures = rounds.reduce((sum, { post, read }) => sum + post.failures + read.failures, 0)
  if (failures) console.log(`${failures} requests failed`)
  return posting >= 0.6 && reading >= 1 / 6 && failures === 0
}

type Made = Awaited<ReturnType<typeof makeTickets>>

async function run(made: Made, port: number, values: { [Name in keyof typeof options]: string }) {
  const [seconds, connections] = [Number(values.seconds), Number(values.connections)]
  const { target, tickets, body } = made
  const writing: Writing = { target, connections: pool, seconds, tickets, content }
  const children = startMachine()
  const script = hasPgbench() ? await openScript(made.db, writing) : null
  const barePort = await ask<number>(children.bare, { body })
  const post = JSON.stringify({ content })
  const posts = tickets.map(({ id, key }) => printRequest('POST', `/tickets/${id}/messages`, key, post))
  const reads = tickets.map(({ id, key }) => printRequest('GET', `/tickets/${id}`, key))
  const load = (toPort: number, requests: string[]) => () =>
    ask<Load>(children.load, { port: toPort, connections, seconds, requests } satisfies Order)
  const phases: Phases = {
    driver: async () => (await ask<Written>(children.database, writing)).perSecond,
    post: load(port, posts),
    pgbench: async () => script?.run(pool, seconds).perSecond ?? Number.NaN,
    bare: load(barePort, reads),
    read: load(port, reads),
  }
  try {
    return report(await measure(phases, Number(values.rounds)))
  } finally {
    for (const child of Object.values(children)) child.disconnect()
    script?.close()
  }
}

/** Compares posting a message and reading a ticket with the machine's limits without Deskbell. */
export async function http(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const dataDir = mkdtempSync(join(tmpdir(), 'deskbell-bench-'))
  const server = await startServer({ DATA_DIR: dataDir })
  try {
    const made = await makeTickets(dataDir, server.url, Number(values.projects), Number(values.tickets))
    const isKept = await run(made, server.port, values)
    await made.close()
    return isKept ? 0 : 1
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
