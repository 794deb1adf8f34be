import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { storageFull } from '../db/full-disk.ts'
import {
  ApiError,
  type Brief,
  BriefError,
  briefs,
  InvalidRequest,
  invalidHeader,
  MaintenanceError,
} from '../errors.ts'
import { propertyOf } from '../objects.ts'
import { codeOf } from '../thrown.ts'

/** Seconds. It is unknown when maintenance ends, but it is usually soon. */
const maintenanceRetrySeconds = '5'

export const maxBodyBytes = 1024 * 1024

export const isStreamed = (request: FastifyRequest): boolean =>
  propertyOf(request.routeOptions?.config, 'isStreamed') === true

export const answerBrief = (reply: FastifyReply, brief: Brief) => {
  const [status, detail] = briefs[brief]
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  return reply.code(status).send({ detail })
}

const answerError = (reply: FastifyReply, error: ApiError) =>
  reply.code(error.status).headers(error.headers).send({
    error_code: error.code,
    error_message: error.message,
    detail: error.detail,
    request_id: reply.request.id,
  })

/** Errors of Fastify itself, by code. */
const frameworkErrors: Record<string, (request: FastifyRequest) => Error> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new ApiError('PAYLOAD_TOO_LARGE', { max_bytes: maxBodyBytes }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new BriefError('bad_request'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ({ headers }) => wrongType(headers['content-type']),
}

export const wrongType = (sent: unknown): InvalidRequest =>
  invalidHeader('content-type', 'content_type', 'Send the body as application/json', sent)

/** The only function that turns an error into one of the three kinds of response body. */
export const failWith =
  (isForFullDisk: (error: unknown) => boolean) =>
  (thrown: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) => {
    const error = frameworkErrors[codeOf(thrown)]?.(request) ?? thrown
    reply.type('application/json; charset=utf-8')
    if (error instanceof ApiError) return answerError(reply, error)
    if (error instanceof BriefError) return answerBrief(reply.headers(error.headers), error.brief)
    if (error instanceof MaintenanceError)
      return reply.code(503).header('retry-after', maintenanceRetrySeconds).send(error.body)
    if (error instanceof InvalidRequest) return reply.code(422).send({ detail: error.problems })
    return answerError(reply, logFailure(request, error, isForFullDisk(error)))
  }

/** Logs an unexpected error and returns the error for the caller. */
function logFailure(request: FastifyRequest, err: Error, isFull: boolean): ApiError {
  const { log, method, routeOptions } = request
  log.error(
    { err, method, route: routeOptions.url },
    isFull ? 'request failed: the disk is full' : 'request failed',
  )
  if (!isFull) return new ApiError('INTERNAL_ERROR')
  return storageFull(isStreamed(request) ? 'MEDIA_UPLOAD_FAILED' : 'INTERNAL_ERROR')
}
