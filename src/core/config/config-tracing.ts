import * as parse from './config-values.ts'
import { setting } from './config-values.ts'

/** OpenTelemetry traces, with the setting names that OpenTelemetry itself uses. */
export const tracingSettings = {
  tracesEndpoint: setting('OTEL_EXPORTER_OTLP_ENDPOINT', '', parse.optional(parse.url('http:', 'https:')), {
    about:
      'The URL of an OpenTelemetry collector that accepts OTLP over HTTP. Traces are sent to `/v1/traces` below it. If the collector is down or hangs, only traces are lost. If it is not set, nothing is traced.',
    example: 'http://otel-collector:4318',
  }),
  tracesHeaders: setting('OTEL_EXPORTER_OTLP_HEADERS', '', parse.pairs, {
    about: 'Headers for the collector, such as a token.',
    example: 'authorization=Bearer%20abc,x-tenant=desk',
  }),
  tracesService: setting('OTEL_SERVICE_NAME', 'deskbell', parse.readText, {
    about: 'The name of this installation in the traces.',
    example: 'support-desk',
  }),
  tracesShare: setting('OTEL_TRACES_SAMPLER_ARG', '1', parse.fraction, {
    about:
      'The share of traces that are sent, from 0 to 1. For a request with a `traceparent` header, that header decides instead.',
    example: '0.1',
  }),
}
