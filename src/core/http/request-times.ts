import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { metric, type Sample } from '../telemetry/metrics.ts'

/** Upper bounds in seconds. Calls that wait for events take up to 55 s. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60]
const ms = bounds.map(bound => bound * 1_000)
/** For each status class: a counter per bound, one for longer requests, and the sum. */
const bucketCount = bounds.length + 2
const classes = 6

interface Times {
  route: string
  method: string
  counts: Float64Array
}

const timesByRoute = new Map<string, Times>()

/** All servers in a process share these counters. */
function timesOf(route: string, method: string): Times {
  const name = `${method} ${route}`
  const known = timesByRoute.get(name)
  if (known) return known
  const times = { route, method, counts: new Float64Array(classes * bucketCount) }
  timesByRoute.set(name, times)
  return times
}

function add({ counts }: Times, { statusCode, elapsedTime }: FastifyReply): void {
  const start = Math.min(Math.floor(statusCode / 100), classes - 1) * bucketCount
  let at = 0
  while (at < ms.length && elapsedTime > ms[at]!) at++
  counts[start + at]!++
  counts[start + bucketCount - 1]! += elapsedTime
}

const patternOf = (url: string): string => url.replaceAll(/:(\w+)/g, '{$1}')

/** The pattern of the path; `none` if no route matches. */
export const routeOf = ({ is404, routeOptions }: FastifyRequest): string =>
  is404 ? 'none' : patternOf(routeOptions.url ?? 'none')

type Done = () => void

/** Counts all methods that a path refuses together. */
function follow(route: RouteOptions): void {
  const methods = [route.method].flat()
  const times = timesOf(patternOf(route.url), methods.length === 1 ? methods[0]! : 'OTHER')
  const note = (_request: FastifyRequest, reply: FastifyReply, done: Done) => {
    add(times, reply)
    done()
  }
  route.onResponse = [note, ...[route.onResponse ?? []].flat()]
}

/** Measures how long each route takes, by its pattern, because ids would create a new series for every ticket. */
export function measureRequests(app: FastifyInstance): void {
  const lost = timesOf('none', 'ANY')
  app.addHook('onRoute', follow)
  app.addHook('onResponse', (request, reply, done) => {
    if (request.is404) add(lost, reply)
    done()
  })
}

function samplesOf({ route, method, counts }: Times, status: number): Sample[] {
  const labels = { route, method, status: `${status}xx` }
  const own = counts.subarray(status * bucketCount, (status + 1) * bucketCount)
  let sum = 0
  const buckets = [...bounds.map(String), '+Inf'].map((le, at) => {
    sum += own[at]!
    return { suffix: '_bucket', labels: { ...labels, le }, value: sum }
  })
  if (sum === 0) return []
  const seconds = own[bucketCount - 1]! / 1_000
  return [...buckets, { suffix: '_sum', labels, value: seconds }, { suffix: '_count', labels, value: sum }]
}

metric(
  'deskbell_http_request_duration_seconds',
  'From the arrival of a request to the end of its response',
  () =>
    [...timesByRoute.values()].flatMap(times =>
      Array.from({ length: classes }, (_, status) => samplesOf(times, status)).flat(),
    ),
  'histogram',
)
