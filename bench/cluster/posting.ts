import { cpus } from 'node:os'
import { openCaller } from '../calls.ts'
import { ask } from '../children.ts'
import { median, round } from '../figures.ts'
import type { Load, Order } from '../machine/load.ts'
import { startLoad } from '../machine/machine.ts'
import { printRequest } from '../tickets.ts'
import { type Cluster, makeProject, portsOf, type Row } from './stage.ts'

/** Prepares requests that post messages in several projects, because writers of one project wait for its counter. */
async function printPosts(cluster: Cluster): Promise<string[]> {
  const requests: string[] = []
  for (let project = 0; project < 16; project++) {
    const { key } = await makeProject(cluster)
    const caller = openCaller(cluster.url, key)
    for (let ticket = 0; ticket < 20; ticket++) {
      const { text } = await caller.call('POST', '/tickets', { contact: { email: 'ann@example.com' } })
      const body = JSON.stringify({ content: 'The parcel of my order has not arrived yet. '.repeat(4) })
      requests.push(printRequest('POST', `/tickets/${JSON.parse(text).id}/messages`, key, body))
    }
    caller.close()
  }
  return requests
}

/** Milliseconds for which the cores of this machine were idle. */
const readIdle = (): number => cpus().reduce((sum, { times }) => sum + times.idle, 0)

async function measureIdle<T>(run: () => Promise<T>): Promise<{ seen: T; idle: number }> {
  const [begun, before] = [performance.now(), readIdle()]
  const seen = await run()
  return { seen, idle: (readIdle() - before) / (performance.now() - begun) / cpus().length }
}

interface Turns {
  seconds: number
  rounds: number
  /** The number of connections of all callers together. */
  connections: number
}

/** Posts messages alternately to one process and to two, with the same total number of connections. */
export async function compare(cluster: Cluster, { seconds, rounds, connections }: Turns): Promise<Row[]> {
  const requests = await printPosts(cluster)
  const loaders = [startLoad(), startLoad()]
  const post = async (ports: number[]): Promise<Load[]> => {
    const each = { connections: connections / ports.length, seconds, requests }
    const orders = ports.map(port => ({ port, ...each }) satisfies Order)
    return Promise.all(orders.map((order, at) => ask<Load>(loaders[at]!, order)))
  }
  const sum = (loads: Load[]) => loads.reduce((total, { perSecond }) => total + perSecond, 0)
  const ports = portsOf(cluster.web)
  const [one, two, idles]: [number[], number[], number[]] = [[], [], []]
  let failures = 0
  for (let turn = 0; turn <= rounds; turn++) {
    const { seen: alone, idle } = await measureIdle(() => post(ports.slice(0, 1)))
    const both = await post(ports)
    failures += [...alone, ...both].reduce((total, load) => total + load.failures, 0)
    // The first turn is a warm-up.
    if (turn > 0) {
      idles.push(idle)
      one.push(sum(alone))
      two.push(sum(both))
    }
  }
  for (const loader of loaders) loader.disconnect()
  const ratio = median(two.map((perSecond, at) => perSecond / one[at]!))
  return [
    [
      `messages posted per second over ${connections} connections, two processes / one`,
      'ratio 1',
      `${Math.round(median(two))} / ${Math.round(median(one))}, ratio ${round(ratio)}; with one ${round(median(idles) * 100)} % of the machine was idle`,
      ratio >= 1,
    ],
    ['failed posts', '0', `${failures}`, failures === 0],
  ]
}
