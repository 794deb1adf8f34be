import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createKey } from '../../src/keys/keys.ts'
import { createProject } from '../../src/projects/projects.ts'
import { openCaller } from '../calls.ts'
import { openDataDir } from '../data.ts'
import { median, printTable, round } from '../figures.ts'
import { startServer } from '../server.ts'
import type { Load, Order } from './load.ts'
import { hasPgbench, openScript } from './pgbench.ts'
import type { Writing, Written } from './writing.ts'

const options = {
  seconds: { type: 'string', default: '5' },
  rounds: { type: 'string', default: '5' },
  connections: { type: 'string', default: '64' },
  projects: { type: 'string', default: '1' },
} as const

const content =
  'The parcel of my order has not arrived yet, and the page that should show where it is stays empty. '.repeat(
    2,
  )
const ticketCount = 1_000
const pool = 20

export const startChild = (name: string): ChildProcess => fork(join(import.meta.dirname, `${name}.ts`))

export async function ask<T>(child: ChildProcess, order: unknown): Promise<T> {
  child.send(order as object)
  const [answer] = await once(child, 'message')
  return answer as T
}

/** Projects, each with a key, and tickets made over HTTP as anybody makes them. */
export async function makeTickets(dataDir: string, url: string, projects: number) {
  const database = await openDataDir(dataDir, 4)
  const { db } = database
  const tickets: { id: string; projectId: string; key: string }[] = []
  let body = ''
  for (let p = 0; p < projects; p++) {
    const { id: projectId } = await createProject(db, { name: 'Bench' })
    const { key } = await createKey(db, projectId, 'Bench')
    const caller = openCaller(url, key)
    for (let n = 0; n < ticketCount / projects; n++) {
      const contact = { email: `person${n % 200}@mail.example`, full_name: `Person ${n % 200}` }
      const { text } = await caller.call('POST', '/tickets', { contact, subject: 'Where is it?', content })
      tickets.push({ id: JSON.parse(text).id, projectId, key })
      body = text
    }
    caller.close()
  }
  // What autovacuum does within a minute: figures of a young database depend on when it comes by.
  await db`vacuum analyze`
  return { ...database, tickets, body }
}

export const printRequest = (method: string, path: string, key: string, body = ''): string =>
  [
    `${method} /api/v1${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${key}`,
    ...(body ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`] : []),
    '',
    body,
  ].join('\r\n')

interface Round {
  driver: number
  pgbench: number
  post: Load
  bare: Load
  read: Load
}

type Phases = { [Name in keyof Round]: () => Promise<Round[Name]> }

/** The phases by turns, so that the machine's other work falls on all of them. */
async function measure(phases: Phases, rounds: number): Promise<Round[]> {
  const results: Round[] = []
  for (let round = 0; round <= rounds; round++) {
    const entries: [string, unknown][] = []
    for (const [name, run] of Object.entries(phases)) entries.push([name, await run()])
    // The first one only warms up.
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
    `\nposting / the driver alone: ${round(posting)} (wanted: 0.5)${beside ? `; / pgbench: ${round(beside)}` : ''}`,
  )
  console.log(`reading / bare node:http: ${round(reading, 3)} (wanted: 0.167)`)
  const failures = rounds.reduce((sum, { post, read }) => sum + post.failures + read.failures, 0)
  if (failures) console.log(`${failures} requests failed`)
  return posting >= 0.5 && reading >= 1 / 6 && failures === 0
}

type Made = Awaited<ReturnType<typeof makeTickets>>

async function run(made: Made, port: number, values: { [Name in keyof typeof options]: string }) {
  const [seconds, connections] = [Number(values.seconds), Number(values.connections)]
  const { target, tickets, body } = made
  const writing: Writing = { target, connections: pool, seconds, tickets, content }
  const children = { load: startChild('load'), database: startChild('database'), bare: startChild('bare') }
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

/** Posting a message and reading a ticket, each beside what the machine does without Deskbell. */
export async function http(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const dataDir = mkdtempSync(join(tmpdir(), 'deskbell-bench-'))
  const server = await startServer({ DATA_DIR: dataDir, DATABASE_POOL: String(pool) })
  try {
    const made = await makeTickets(dataDir, server.url, Number(values.projects))
    const isKept = await run(made, server.port, values)
    await made.close()
    return isKept ? 0 : 1
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
