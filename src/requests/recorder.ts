import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { inTime } from '../core/async/in-time.ts'
import type { Db } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { listIgnoredParameters } from '../core/http/ignored-parameters.ts'
import { newId } from '../core/ids.ts'
import type { Log } from '../core/telemetry/log.ts'
import { counter } from '../core/telemetry/metrics.ts'
import { currentTime } from '../core/time.ts'
import { insertRequests, type NewRequest } from './queries.ts'

/** Logs requests in the background: in batches, at a limited rate, without delaying any request. */

const writeIntervalMs = 1_000
const warnIntervalMs = 60_000

/** Requests per batch. A quarter is reserved for errors, which people search for. */
const maxBatchSize = 500
const maxSuccessesPerBatch = 375

const logged = counter(
  'deskbell_request_log_total',
  'API calls that were written to the request log, and those left out under load',
  'result',
  ['written', 'dropped'],
)

const maxPathLength = 500
const secretName = /key|token|secret|password|signature|auth/i

/** Removes secrets from the URL. It is cut first, because URLs may be 16 KB long, and this runs for every call with a key. */
export function withoutSecrets(url: string): string {
  const [path = '', ...parameters] = url.slice(0, maxPathLength).split(/(?=[?&])/)
  const shown = parameters.map(parameter => {
    const end = parameter.indexOf('=')
    return end > 0 && secretName.test(parameter.slice(0, end)) ? `${parameter.slice(0, end + 1)}…` : parameter
  })
  return [path, ...shown].join('').slice(0, maxPathLength)
}

interface Seen {
  caller: Caller
  request: FastifyRequest
  reply: FastifyReply
  at: number
}

const describe = ({ caller, request, reply, at }: Seen): NewRequest => ({
  project_id: caller.project.id,
  id: newId(),
  request_id: request.id,
  key_id: caller.actor.id,
  method: request.method,
  path: withoutSecrets(request.url).toWellFormed().replaceAll('\0', ''),
  ignored: listIgnoredParameters(request),
  status: reply.statusCode,
  ms: Math.round(reply.elapsedTime),
  at,
})

export interface Recorder {
  see(caller: Caller, request: FastifyRequest, reply: FastifyReply): void
  /** How many requests were not logged. */
  dropped(): number
  stop(): Promise<void>
}

/** Returns how many could not be inserted, and the last error. */
async function insertByProject(db: Db, requests: NewRequest[]): Promise<{ lost: number; error?: unknown }> {
  const result: { lost: number; error?: unknown } = { lost: 0 }
  for (const [projectId, batch] of Map.groupBy(requests, request => request.project_id)) {
    try {
      await inTime(insertRequests(db, projectId, batch))
    } catch (error) {
      result.lost += batch.length
      result.error = error
    }
  }
  return result
}

export function createRecorder(db: Db, log: Pick<Log, 'warn'>): Recorder {
  let waiting: NewRequest[] = []
  let [good, dropped, reportedCount] = [0, 0, 0]
  let loggedAt = Number.NEGATIVE_INFINITY
  let writing: Promise<void> | null = null

  function drop(count: number): void {
    dropped += count
    logged.dropped += count
  }

  /** While a batch is written, the next one fills. Requests that do not fit are dropped. */
  async function write(): Promise<void> {
    const batch = waiting
    waiting = []
    good = 0
    const { lost, error } = await insertByProject(db, batch)
    logged.written += batch.length - lost
    if (lost === 0) return
    drop(lost)
    reportedCount += lost
    log.warn({ err: error, requests: lost }, 'Could not log API requests; they are dropped')
  }

  function tell(): void {
    const wasLoggedRecently = performance.now() - loggedAt < warnIntervalMs
    if (dropped === reportedCount || wasLoggedRecently) return
    log.warn({ requests: dropped - reportedCount }, 'Too many API requests; some are not in the log')
    reportedCount = dropped
    loggedAt = performance.now()
  }

  function tick(): void {
    tell()
    if (writing || waiting.length === 0) return
    writing = write().finally(() => {
      writing = null
    })
  }

  const timer = setInterval(tick, writeIntervalMs).unref()
  return {
    see(caller, request, reply) {
      const isGood = reply.statusCode < 400
      if (waiting.length >= maxBatchSize || (isGood && good >= maxSuccessesPerBatch)) return drop(1)
      if (isGood) good++
      waiting.push(describe({ caller, request, reply, at: currentTime() }))
    },
    dropped: () => dropped,
    async stop() {
      clearInterval(timer)
      await writing
      if (waiting.length) await write()
    },
  }
}

/** Records every response to a request with a valid key. */
export function recordRequests(
  app: FastifyInstance,
  recorder: Recorder,
  callerOf: (request: FastifyRequest) => Caller | undefined,
): void {
  app.addHook('onResponse', (request, reply, done) => {
    const caller = callerOf(request)
    if (caller) recorder.see(caller, request, reply)
    done()
  })
}
