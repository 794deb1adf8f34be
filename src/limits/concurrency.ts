import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../core/errors.ts'
import { counter } from '../core/metrics.ts'

/** Seconds after which somebody who was refused may try again. */
const retryAfterSeconds = 1

const requests = counter(
  'deskbell_overload_total',
  'Requests of the API, the dashboard, the widget or the help centre that found too many others under way',
  'decision',
  ['refused'],
)

/** These wait for somebody else, and cost next to nothing meanwhile. */
const isPatient = ({ routeOptions }: FastifyRequest): boolean => {
  const config = routeOptions.config as { isStreamed?: boolean; isWaiting?: boolean }
  return Boolean(config.isStreamed || config.isWaiting)
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Milliseconds that the first of those under way may take before others are refused: a burst is soon over. */
const refuseAfterMs = 1_000

/** Milliseconds after which nobody waits for a request any more. */
const forgetAfterMs = 60_000

/**
 * Refuses what comes while so many requests are under way, and have been for a while. Without it each waits behind all
 * others as soon as more come than can be answered, and the answers come when their callers have gone.
 */
export function limitConcurrency(
  app: FastifyInstance,
  most: number,
  clock: () => number = () => performance.now(),
): void {
  /** Since when, the first one first. */
  const underWay = new Map<FastifyRequest, number>()
  function isFull(): boolean {
    const now = clock()
    for (const [request, since] of underWay) {
      if (now - since < forgetAfterMs) return underWay.size >= most && now - since > refuseAfterMs
      underWay.delete(request)
    }
    return false
  }
  function refuse(): ApiError {
    requests.refused++
    const detail = { retry_after: retryAfterSeconds, reason: 'overloaded', limit: most }
    return new ApiError('RATE_LIMIT_EXCEEDED', detail, { 'retry-after': String(retryAfterSeconds) })
  }
  app.addHook('onRequest', (request, _reply, done) => {
    if (isPatient(request)) return done()
    if (isFull()) return done(refuse())
    if (!hasBody(request)) underWay.set(request, clock())
    done()
  })
  // Now the body is here: callers who send theirs slowly must not take the room of others.
  app.addHook('preValidation', (request, _reply, done) => {
    if (isPatient(request) || underWay.has(request)) return done()
    if (isFull()) return done(refuse())
    underWay.set(request, clock())
    done()
  })
  // Not at the end of the connection: what callers who left have begun is still to be done.
  app.addHook('onSend', (request, _reply, payload, done) => {
    underWay.delete(request)
    done(null, payload)
  })
}
