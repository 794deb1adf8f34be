import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { startNginx } from '../../test/nginx.ts'
import type { TestRedis } from '../../test/redis.ts'
import { type Caller, openCaller } from '../calls.ts'
import { median, round } from '../figures.ts'
import { type Cluster, makeProject, type Place, portsOf, type Row, startWeb } from './stage.ts'

const processes = 4
const budget = 4_000
const calls = 6_000

/** Starts processes with normal budgets for keys. Each address may send one call per process. */
export const startLimited = (cluster: Cluster): Promise<Place[]> =>
  startWeb(cluster, processes, { RATE_LIMIT_PER_KEY: String(budget), RATE_LIMIT_PER_IP: String(processes) })

const statusOf = async (caller: Caller): Promise<number> => (await caller.get('/project')).status

/** Sends all calls of one window, two at a time per process. Returns how many passed. */
async function rush(callers: Caller[]): Promise<number> {
  let [left, passed] = [calls, 0]
  const work = async (caller: Caller) => {
    while (left-- > 0) if ((await statusOf(caller)) === 200) passed++
  }
  await Promise.all([...callers, ...callers].map(work))
  return passed
}

/** Calls that passed because they could not be counted in time. */
async function countUncounted(urls: string[]): Promise<number> {
  const pages = await Promise.all(urls.map(async url => (await fetch(`${url}/metrics`)).text()))
  const counts = pages.map(page => Number(/decisions_total\{decision="failed_open"\} (\d+)/.exec(page)![1]))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Callers with a separate address, because the earlier processes also count calls from this machine. */
const openFrom = (urls: string[], key: string, address: string): Caller[] =>
  urls.map(url => openCaller(url, key, { 'x-forwarded-for': address }))

/** Checks that all processes share one budget, even for a key that a process has not seen yet. */
export async function share(cluster: Cluster, limited: Place[]): Promise<Row[]> {
  const urls = limited.map(({ server }) => server.url)
  const [known, fresh] = [await makeProject(cluster), await makeProject(cluster)]
  const callers = openFrom(urls, known.key, '127.0.0.9')
  const strangers = openFrom(urls, fresh.key, '127.0.0.9')
  const first = await Promise.all(callers.map(statusOf))
  const second = await Promise.all(callers.map(statusOf))
  const late = await Promise.all(strangers.map(statusOf))
  const begun = performance.now()
  const passed = processes + (await rush(callers))
  const seconds = (performance.now() - begun) / 1_000
  const uncounted = await countUncounted(urls)
  for (const caller of [...callers, ...strangers]) caller.close()
  const paid = [first, second, late].map(statuses => [...new Set(statuses)].join('/')).join(', ')
  return [
    [
      `${calls} calls with one key over ${processes} processes, ${round(seconds, 1)} s: passed`,
      `${budget}, and the uncounted`,
      `${passed}, ${uncounted} uncounted`,
      passed >= budget && passed <= budget + uncounted && seconds < 59,
    ],
    [
      `a key's first call at each of ${processes} processes, its next call, and another key's first after ${processes} calls of the address`,
      '200, 200, 429',
      paid,
      paid === '200, 200, 429',
    ],
  ]
}

interface Timed {
  status: number
  ms: number
}

async function timeMany(caller: Caller, count: number): Promise<Timed[]> {
  const all: Timed[] = []
  while (all.length < count) {
    const { status, ms } = await caller.get('/project')
    all.push({ status, ms })
  }
  return all
}

const middle = (timed: Timed[]): number => median(timed.map(({ ms }) => ms))

/** Redis stops responding and recovers. */
export async function pause(cluster: Cluster, redis: TestRedis): Promise<Row[]> {
  const [place] = await startWeb(cluster, 1, { RATE_LIMIT_PER_KEY: '400' })
  const { key } = await makeProject(cluster)
  const caller = openCaller(place!.server.url, key)
  await timeMany(caller, 100)
  const before = await timeMany(caller, 200)
  redis.pause()
  const [first, ...rest] = await timeMany(caller, 303)
  const waited = rest.slice(0, 2)
  const aside = rest.slice(2)
  redis.resume()
  const begun = performance.now()
  let isLimited = false
  while (!isLimited && performance.now() - begun < 10_000) {
    await timeMany(caller, 60)
    isLimited = (await timeMany(caller, 1))[0]!.status === 429
    await sleep(20)
  }
  const back = (performance.now() - begun) / 1_000
  caller.close()
  const failures = [first!, ...rest].filter(({ status }) => status !== 200).length
  const slowest = Math.max(first!.ms, ...waited.map(({ ms }) => ms))
  const more = middle(aside) - middle(before)
  return [
    ['Redis is stopped by SIGSTOP: calls that failed', '0', `${failures} of 303`, failures === 0],
    [
      'additional time of the first three calls / of each later one',
      '50 ms / 1 ms',
      `${round(slowest - middle(before), 1)} ms / ${round(more)} ms`,
      slowest - middle(before) <= 50 && more <= 1,
    ],
    ['limited again after it continued', 'within 5 s', `${round(back, 1)} s`, isLimited && back <= 5],
  ]
}

const ask = (url: string, from: string, forged: string): Promise<number> => {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const headers = { 'x-forwarded-for': forged, 'x-real-ip': forged, forwarded: `for=${forged}` }
  const options = { localAddress: from, headers, agent: false } as const
  http
    .get(`${url}/api/v1/project`, options, response => resolve(response.resume().statusCode!))
    .on('error', reject)
  return promise
}

/** Clients behind nginx have separate budgets, even if they send forged headers. */
export async function tellApart(cluster: Cluster, limited: Place[]): Promise<Row> {
  const url = await startNginx(cluster.context, portsOf(limited))
  const statuses: number[] = []
  for (let at = 1; at <= processes + 1; at++) statuses.push(await ask(url, '127.0.0.2', `10.0.0.${at}`))
  const other = await ask(url, '127.0.0.3', '127.0.0.2')
  const seen = `${statuses.join(' ')}, ${other}`
  const wanted = `${'401 '.repeat(processes)}429, 401`
  return [
    'a client behind nginx that exceeds its budget with forged addresses, another client',
    wanted,
    seen,
    seen === wanted,
  ]
}
