import * as parse from './config-values.ts'
import { setting } from './config-values.ts'

/** Traces for OpenTelemetry, under the names that its own programs use. */
export const tracingSettings = {
  tracesEndpoint: setting('OTEL_EXPORTER_OTLP_ENDPOINT', '', parse.optional(parse.url('http:', 'https:')), {
    about:
      'An OpenTelemetry collector that takes OTLP over HTTP: traces go to `/v1/traces` below it. When it is away or hangs, traces are lost and nothing else. When not set, nothing is traced.',
    example: 'http://otel-collector:4318',
  }),
  tracesHeaders: setting('OTEL_EXPORTER_OTLP_HEADERS', '', parse.pairs, {
    about: 'Headers for the collector, such as a token.',
    example: 'authorization=Bearer%20abc,x-tenant=desk',
  }),
  tracesService: setting('OTEL_SERVICE_NAME', 'deskbell', parse.readText, {
    about: 'What this installation is called among the traces.',
    example: 'support-desk',
  }),
  tracesShare: setting('OTEL_TRACES_SAMPLER_ARG', '1', parse.fraction, {
    about:
      'The share of traces that is sent, from 0 to 1. A request with a `traceparent` header follows what that says instead.',
    example: '0.1',
  }),
}
