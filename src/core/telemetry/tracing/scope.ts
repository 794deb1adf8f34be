import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, ROOT_CONTEXT, type Span, type Tracer, trace } from '@opentelemetry/api'

/** Knows to which span the running code belongs. */
export interface Scope {
  tracer: Tracer
  run(span: Span, work: () => void): void
  runApart(work: () => void): void
  /** The current span; null if it has ended or is not sampled. */
  span(): Span | null
  context(): Context
}

export function createScope(tracer: Tracer): Scope {
  const storage = new AsyncLocalStorage<Span>()
  const span = () => {
    const found = storage.getStore()
    return found?.isRecording() ? found : null
  }
  return {
    tracer,
    run: (one, work) => storage.run(one, work),
    runApart: work => storage.exit(work),
    span,
    context() {
      const found = span()
      return found ? trace.setSpan(ROOT_CONTEXT, found) : ROOT_CONTEXT
    },
  }
}
