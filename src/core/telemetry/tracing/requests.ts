import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { routeOf } from '../../http/request-times.ts'
import type { Scope } from './scope.ts'

/** The parent in `traceparent`. A request without one, or with an invalid one, begins a new trace. */
function readParent({ headers }: FastifyRequest): Context {
  const { traceparent } = headers
  const sent = typeof traceparent === 'string' ? parseTraceParent(traceparent) : null
  return sent ? trace.setSpanContext(ROOT_CONTEXT, { ...sent, isRemote: true }) : ROOT_CONTEXT
}

function begin({ tracer }: Scope, request: FastifyRequest): Span {
  const route = routeOf(request)
  const attributes = {
    'http.request.method': request.method,
    'http.route': route,
    'deskbell.request_id': request.id,
  }
  const options = { kind: SpanKind.SERVER, attributes }
  return tracer.startSpan(`${request.method} ${route}`, options, readParent(request))
}

function end(span: Span, { statusCode }: FastifyReply): void {
  span.setAttribute('http.response.status_code', statusCode)
  if (statusCode >= 500) {
    span.setAttribute('error.type', String(statusCode))
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end()
}

/** Creates a span for each request, which contains everything that the request does. */
export function traceRequests(app: FastifyInstance, scope: Scope): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    const span = begin(scope, request)
    spans.set(request, span)
    scope.run(span, done)
  })
  // The socket reports the end of a body, and does not know the request.
  app.addHook('preValidation', (request, _reply, done) => scope.run(spans.get(request)!, done))
  app.addHook('onResponse', (request, reply, done) => {
    end(spans.get(request)!, reply)
    done()
  })
}
