import type { Config } from '../config/config.ts'
import type { Db } from '../db/db.ts'
import type { Log } from './log.ts'
import { traceWith } from './trace.ts'

export type TracingSettings = { version: string } & Pick<
  Config,
  'tracesEndpoint' | 'tracesHeaders' | 'tracesService' | 'tracesShare'
>

/** Sends traces if a setting enables them; otherwise it does not even load the packages. Returns a function that stops it. */
export async function startTracing(
  settings: TracingSettings,
  db: Db,
  log: Pick<Log, 'warn'>,
): Promise<() => Promise<void>> {
  const endpoint = settings.tracesEndpoint
  if (!endpoint) return async () => {}
  const { openTracer } = await import('./tracing/tracer.ts')
  const { tracer, stop } = openTracer({ endpoint, settings, db, log })
  traceWith(tracer)
  return stop
}
