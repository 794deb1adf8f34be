import { hostname } from 'node:os'
import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { setGlobalErrorHandler } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Db } from '../../db/db.ts'
import type { Log } from '../log.ts'
import { codeOfFailure, type Tracer } from '../trace.ts'
import type { TracingSettings } from '../tracing.ts'
import { traceRequests } from './requests.ts'
import { createScope, type Scope } from './scope.ts'
import { traceStatements } from './statements.ts'

/** If the collector hangs, at most this many spans are kept, and the exit of the process is delayed by at most this time. */
const maxSpans = 4_096
const endTimeoutMs = 2_000
const warnIntervalMs = 60_000

function openProvider(endpoint: string, settings: TracingSettings): TracerProvider {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: settings.tracesHeaders,
    timeoutMillis: 10_000,
  })
  return new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': settings.tracesService,
      'service.version': settings.version,
      'service.instance.id': `${hostname()}/${process.pid}`,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(settings.tracesShare) }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter, maxQueueSize: maxSpans, scheduledDelayMillis: 2_000 }),
    ],
  })
}

/** Logs at most once a minute. */
function warnOfLosses(log: Pick<Log, 'warn'>): void {
  let loggedAt = Number.NEGATIVE_INFINITY
  setGlobalErrorHandler(error => {
    if (performance.now() - loggedAt < warnIntervalMs) return
    loggedAt = performance.now()
    log.warn(
      { error: codeOfFailure(error) },
      'OTEL_EXPORTER_OTLP_ENDPOINT: the collector did not accept traces; they are lost until it does',
    )
  })
}

const createTracer = (scope: Scope): Tracer => ({
  traceRequests: app => traceRequests(app, scope),
  traceAttributes: attributes => void scope.span()?.setAttributes(attributes),
  runApart: scope.runApart,
  traceWork({ name, attributes, startedAt, isCall, error }) {
    const kind = isCall ? SpanKind.CLIENT : SpanKind.INTERNAL
    const span = scope.tracer.startSpan(name, { kind, attributes, startTime: startedAt }, scope.context())
    if (error) {
      span.setAttribute('error.type', error)
      span.setStatus({ code: SpanStatusCode.ERROR })
    }
    span.end()
  },
})

interface Opening {
  endpoint: string
  settings: TracingSettings
  db: Db
  log: Pick<Log, 'warn'>
}

export function openTracer({ endpoint, settings, db, log }: Opening) {
  warnOfLosses(log)
  const provider = openProvider(endpoint, settings)
  const scope = createScope(provider.getTracer('deskbell', settings.version))
  traceStatements(db, scope)
  return {
    tracer: createTracer(scope),
    /** Sends the remaining spans. */
    async stop() {
      const late = new Promise<void>(resolve => setTimeout(resolve, endTimeoutMs).unref())
      await Promise.race([provider.shutdown().catch(() => {}), late])
    },
  }
}
