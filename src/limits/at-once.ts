import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../core/errors.ts'
import { counter } from '../core/metrics.ts'

/** Seconds after which somebody who was refused may try again. */
const retryAfter = 1

const requests = counter(
  'deskbell_overload_total',
  'Requests of the API that found too many others under way',
  'decision',
  ['refused'],
)

/** These wait for somebody else, and cost next to nothing meanwhile. */
const isPatient = ({ routeOptions }: FastifyRequest): boolean => {
  const config = routeOptions.config as { isStreamed?: boolean; isWaiting?: boolean } | undefined
  return Boolean(config?.isStreamed || config?.isWaiting)
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * Refuses what comes while so many requests are under way. Without it each waits behind all others as soon as more come
 * than can be answered, and the answers come when their callers have gone.
 */
export function boundAtOnce(app: FastifyInstance, most: number): void {
  const underWay = new Set<FastifyRequest>()
  const isFull = () => underWay.size >= most
  function refuse(): ApiError {
    requests.refused++
    const detail = { retry_after: retryAfter, reason: 'overloaded', limit: most }
    return new ApiError('RATE_LIMIT_EXCEEDED', detail, { 'retry-after': String(retryAfter) })
  }
  app.addHook('onRequest', (request, _reply, done) => {
    if (isPatient(request)) return done()
    if (isFull()) return done(refuse())
    if (!hasBody(request)) underWay.add(request)
    done()
  })
  // Now the body is here: callers who send theirs slowly must not take the room of others.
  app.addHook('preValidation', (request, _reply, done) => {
    if (isPatient(request) || underWay.has(request)) return done()
    if (isFull()) return done(refuse())
    underWay.add(request)
    done()
  })
  // Not at the end of the connection: what callers who left have begun is still to be done.
  app.addHook('onSend', (request, _reply, payload, done) => {
    underWay.delete(request)
    done(null, payload)
  })
}
