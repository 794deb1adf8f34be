import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../core/errors.ts'
import { propertyOf } from '../core/objects.ts'
import { counter } from '../core/telemetry/metrics.ts'

/** Seconds after which a refused client may try again. */
const retryAfterSeconds = 1

const requests = counter(
  'deskbell_overload_total',
  'Requests of the API, the dashboard, the widget or the help centre that came while too many others were in progress',
  'decision',
  ['refused'],
)

/** Whether an operation mostly waits for events or for its client, which costs almost nothing. */
const isPatient = ({ routeOptions }: FastifyRequest): boolean => {
  const { config } = routeOptions
  return Boolean(propertyOf(config, 'isStreamed') || propertyOf(config, 'isWaiting'))
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Milliseconds that the oldest request in progress may take before others are refused. A short burst is over before that. */
const refuseAfterMs = 1_000

/** Milliseconds after which the client is assumed to have given up. */
const forgetAfterMs = 60_000

/**
 * Refuses requests while too many others have been in progress for a while. Without this, under overload each request waits
 * behind all others, and responses are sent when their callers have already left.
 */
export function limitConcurrency(
  app: FastifyInstance,
  maxRequests: number,
  clock: () => number = () => performance.now(),
): void {
  /** Requests in progress with their start times, oldest first. */
  const inProgress = new Map<FastifyRequest, number>()
  function isFull(): boolean {
    const now = clock()
    for (const [request, since] of inProgress) {
      if (now - since < forgetAfterMs) return inProgress.size >= maxRequests && now - since > refuseAfterMs
      inProgress.delete(request)
    }
    return false
  }
  function refuse(): ApiError {
    requests.refused++
    const detail = { retry_after: retryAfterSeconds, reason: 'overloaded', limit: maxRequests }
    return new ApiError('RATE_LIMIT_EXCEEDED', detail, { 'retry-after': String(retryAfterSeconds) })
  }
  app.addHook('onRequest', (request, _reply, done) => {
    if (isPatient(request)) return done()
    if (isFull()) return done(refuse())
    if (!hasBody(request)) inProgress.set(request, clock())
    done()
  })
  // Counted only once the body has arrived, so that slow senders do not use up the limit.
  app.addHook('preValidation', (request, _reply, done) => {
    if (isPatient(request) || inProgress.has(request)) return done()
    if (isFull()) return done(refuse())
    inProgress.set(request, clock())
    done()
  })
  // Not at the end of the connection, because requests of callers who left still have to be finished.
  app.addHook('onSend', (request, _reply, payload, done) => {
    inProgress.delete(request)
    done(null, payload)
  })
}
