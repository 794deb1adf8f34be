import http from 'node:http'
import { maxFileBytes } from '../../src/media/limits.ts'
import { listenTo } from '../../test/live.ts'
import { uploadBytes } from '../../test/upload.ts'
import { openCaller } from '../calls.ts'
import { round } from '../figures.ts'
import { makeTeam, seatsOf } from '../live/people.ts'
import { type Cluster, makeProject, type Row } from './stage.ts'

const clock = () => performance.now()

/** A call that waits for the maximum time. */
export async function waitLong(cluster: Cluster): Promise<Row> {
  const { key } = await makeProject(cluster)
  const caller = openCaller(cluster.url, key)
  const { status, ms } = await caller.get('/updates?timeout=55')
  caller.close()
  const isKept = status === 200 && ms >= 55_000 && ms < 57_000
  return [
    'a call that waits 55 s through nginx',
    '200 after 55 to 57 s',
    `${status} after ${round(ms / 1_000)} s`,
    isKept,
  ]
}

/** Uploads a file of the maximum size, and one of a byte more. */
async function upload({ url }: Cluster, key: string): Promise<Row[]> {
  const begun = clock()
  const taken = await uploadBytes(`${url}/api/v1`, key, maxFileBytes)
  const seconds = (clock() - begun) / 1_000
  const refused = await uploadBytes(`${url}/api/v1`, key, maxFileBytes + 1)
  const { error_code, request_id } = refused.body
  const isTold = request_id === refused.headers.get('x-request-id')
  return [
    [
      `a file of ${maxFileBytes} bytes`,
      '201',
      `${taken.status} after ${round(seconds, 1)} s`,
      taken.status === 201,
    ],
    [
      'a byte too large',
      '413 MEDIA_TOO_LARGE',
      `${refused.status} ${error_code}`,
      refused.status === 413 && error_code === 'MEDIA_TOO_LARGE' && isTold,
    ],
  ]
}

const requestIdOf = (url: string, headers: Record<string, string>): Promise<string> => {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  http
    .get(url, { headers, agent: false }, response => {
      response.resume()
      resolve(String(response.headers['x-request-id']))
    })
    .on('error', reject)
  return promise
}

async function nameRequests({ url }: Cluster): Promise<Row> {
  const path = `${url}/api/v1/tickets`
  const sent = await requestIdOf(path, { 'x-request-id': 'of-the-client' })
  const made = await requestIdOf(path, {})
  const isKept = sent === 'of-the-client' && /^[0-9a-f]{32}$/.test(made)
  return ['X-Request-ID: sent / made', 'of-the-client / 32 hex digits', `${sent} / ${made}`, isKept]
}

/** Checks that an event reaches an open tab through nginx, which must not buffer the stream. */
async function stream(cluster: Cluster): Promise<Row> {
  const team = await makeTeam(cluster.db, { url: cluster.url } as never, 1)
  const [seat] = seatsOf(team, 1)
  const cookie = seat!.person.replace(/^cookie: /, '')
  const tab = await listenTo(
    new URL(seat!.stream, cluster.url).searchParams.get('tab')!,
    `${cluster.url}${seat!.stream}`,
    { cookie },
  )
  await tab.until(() => tab.frames.find(({ event }) => event === 'ready'))
  const caller = openCaller(cluster.url, team.key)
  const times: number[] = []
  for (let at = 1; at <= 10; at++) {
    const begun = clock()
    await caller.call('POST', '/tickets', { contact: { email: 'ann@example.com' } })
    await tab.until(() => tab.frames.filter(({ event }) => event === 'log').length >= at)
    times.push(clock() - begun)
  }
  caller.close()
  tab.close()
  const slowest = Math.max(...times)
  return [
    'ten consecutive tickets to an open tab',
    'each within 4 s',
    `the slowest ${round(slowest)} ms`,
    slowest < 4_000,
  ]
}

/** Checks the statements about nginx in docs/operations.md. */
export async function passThrough(cluster: Cluster): Promise<Row[]> {
  const { key } = await makeProject(cluster)
  const metrics = (await fetch(`${cluster.url}/metrics`)).status
  return [
    ...(await upload(cluster, key)),
    await nameRequests(cluster),
    await stream(cluster),
    ['/metrics through nginx', '404', `${metrics}`, metrics === 404],
  ]
}
