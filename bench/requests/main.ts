import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ask } from '../children.ts'
import { median, printTable, round } from '../figures.ts'
import type { Load, Order } from '../machine/load.ts'
import { startServer } from '../server.ts'
import { makeTickets, printRequest } from '../tickets.ts'

const options = {
  seconds: { type: 'string', default: '5' },
  rounds: { type: 'string', default: '7' },
  connections: { type: 'string', default: '64' },
  tickets: { type: 'string', default: '1000' },
} as const

const wanted = 0.97
const post = JSON.stringify({ content: 'The parcel of my order has not arrived yet.' })

/** Starts a server with or without the request log, on a separate database with tickets. */
async function open(log: 'on' | 'off', count: number) {
  const dataDir = mkdtempSync(join(tmpdir(), 'deskbell-bench-'))
  const server = await startServer({ DATA_DIR: dataDir, REQUEST_LOG: log })
  const { tickets, db, close } = await makeTickets(dataDir, server.url, 1, count)
  const requests = {
    read: tickets.map(({ id, key }) => printRequest('GET', `/tickets/${id}`, key)),
    post: tickets.map(({ id, key }) => printRequest('POST', `/tickets/${id}/messages`, key, post)),
  }
  return {
    port: server.port,
    requests,
    async countLogged(): Promise<number> {
      const [row] = await db<{ count: number }[]>`select count(*)::int as count from api_requests`
      return row!.count
    },
    async close() {
      await close()
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const kinds = ['read', 'post'] as const
type Rates = Record<(typeof kinds)[number], { on: number; off: number }>

/** Alternates between with and without the log, and also alternates the order, so that neither is always first. */
async function measure(values: { [Name in keyof typeof options]: string }) {
  const count = Number(values.tickets)
  const [on, off] = [await open('on', count), await open('off', count)]
  const child = fork(new URL('../machine/load.ts', import.meta.url))
  const [seconds, connections] = [Number(values.seconds), Number(values.connections)]
  const load = async ({ port, requests }: typeof on, kind: 'read' | 'post') => {
    const order: Order = { port, connections, seconds, requests: requests[kind] }
    return (await ask<Load>(child, order)).perSecond
  }
  const rounds: Rates[] = []
  for (let turn = 0; turn <= Number(values.rounds); turn++) {
    const rates = {} as Rates
    for (const kind of kinds) {
      const first = turn % 2 ? await load(on, kind) : Number.NaN
      const without = await load(off, kind)
      rates[kind] = { on: turn % 2 ? first : await load(on, kind), off: without }
    }
    // The first turn is a warm-up.
    if (turn > 0) rounds.push(rates)
  }
  const logged = await on.countLogged()
  child.disconnect()
  await on.close()
  await off.close()
  return { rounds, logged }
}

/** Measures the cost of the request log: the same load with and without it. */
export async function requests(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const { rounds, logged } = await measure(values)
  const of = (pick: (rates: Rates) => number) => median(rounds.map(pick))
  const rows = kinds.map(kind => [
    kind,
    Math.round(of(rates => rates[kind].off)),
    Math.round(of(rates => rates[kind].on)),
    round(
      of(rates => rates[kind].on / rates[kind].off),
      3,
    ),
  ])
  console.log(printTable(['per second', 'without', 'with', `ratio (wanted: ${wanted})`], rows))
  console.log(`${logged} requests are in the log`)
  return rows.every(row => Number(row[3]) >= wanted) && logged > 0 ? 0 : 1
}
