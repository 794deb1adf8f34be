import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { inTime } from '../core/batch.ts'
import type { Db } from '../core/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { newId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import { insertRequests, type NewRequest } from './queries.ts'

/** Writes requests down beside them: in batches, at a bounded rate, and never so that one waits for it. */

const pause = 1_000
const tellEvery = 60_000

/** In a batch; a quarter of it is for answers that are errors, which people look for. */
const most = 500
const mostGood = 375

const longestPath = 500
const secretName = /([?&][^=&]*(?:key|token|secret|password|signature|auth)[^=&]*=)[^&]*/gi

export const withoutSecrets = (url: string): string => url.replaceAll(secretName, '$1…').slice(0, longestPath)

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
  key_id: (caller.actor as { id: string }).id,
  method: request.method,
  path: withoutSecrets(request.url).toWellFormed().replaceAll('\0', ''),
  status: reply.statusCode,
  ms: Math.round(reply.elapsedTime),
  at,
})

export interface Recorder {
  see(caller: Caller, request: FastifyRequest, reply: FastifyReply): void
  /** How many there was no room for. */
  dropped(): number
  stop(): Promise<void>
}

export function createRecorder(db: Db, log: Pick<Log, 'warn'>): Recorder {
  let waiting: NewRequest[] = []
  let good = 0
  let dropped = 0
  let told = 0
  let toldAt = Number.NEGATIVE_INFINITY
  let writing: Promise<void> | null = null

  /** While a batch is being written the next one fills, and what does not fit into that is dropped. */
  async function write(): Promise<void> {
    const batch = waiting
    waiting = []
    good = 0
    try {
      await inTime(Promise.resolve(insertRequests(db, batch)))
    } catch (error) {
      dropped += batch.length
      log.warn({ err: error, requests: batch.length }, 'Could not write down API requests; they are dropped')
    }
  }

  function tell(): void {
    const isSoon = performance.now() - toldAt < tellEvery
    if (dropped === told || isSoon) return
    log.warn({ requests: dropped - told }, 'API requests are not in the log: there were too many')
    told = dropped
    toldAt = performance.now()
  }

  function turn(): void {
    tell()
    if (writing || waiting.length === 0) return
    writing = write().finally(() => {
      writing = null
    })
  }

  const timer = setInterval(turn, pause).unref()
  return {
    see(caller, request, reply) {
      const isGood = reply.statusCode < 400
      if (waiting.length >= most || (isGood && good >= mostGood)) return void dropped++
      if (isGood) good++
      waiting.push(describe({ caller, request, reply, at: Date.now() }))
    },
    dropped: () => dropped,
    async stop() {
      clearInterval(timer)
      await writing
      if (waiting.length) await write()
    },
  }
}

/** Every answer to a working key. */
export function record(
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
