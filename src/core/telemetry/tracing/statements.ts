import { type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { Db } from '../../db/db.ts'
import { codeOfFailure } from '../trace.ts'
import type { Scope } from './scope.ts'

/** The driver's object for a statement (3.4.9, query.js). */
interface Query {
  strings: readonly string[]
  executed: boolean
  resolve(value: unknown): void
  reject(error: unknown): void
  handle(): Promise<void>
}

const summaries = new WeakMap<readonly string[], string>()

/** Verb and table, such as `select tickets`. The full text may be long, and parts of it are made from values. */
function summarize(strings: readonly string[]): string {
  const known = summaries.get(strings)
  if (known) return known
  const text = strings.join(' ')
  const verb = /\b(select|insert|update|delete|begin|commit|rollback|savepoint|copy|listen|notify)\b/i.exec(
    text,
  )
  const table = /\b(?:from|into|update|copy)\s+([a-z_]+)/i.exec(text)
  const summary = [verb?.[1]?.toLowerCase() ?? 'statement', table?.[1] ?? ''].join(' ').trim()
  summaries.set(strings, summary)
  return summary
}

function watch(query: Query, span: Span): void {
  const { resolve, reject } = query
  query.resolve = value => {
    span.end()
    resolve(value)
  }
  query.reject = error => {
    span.setAttribute('error.type', codeOfFailure(error))
    span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
    reject(error)
  }
}

/** Traces statements within requests, from the call to the response, including the wait for a connection. */
export function traceStatements(db: Db, scope: Scope): void {
  // The driver does not export its class. A statement that is not awaited is not sent.
  const driver = Object.getPrototypeOf(db`select 1`) as Query
  const { handle } = driver
  driver.handle = function (this: Query) {
    if (!this.executed && scope.span()) {
      const summary = summarize(this.strings)
      const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': summary }
      watch(this, scope.tracer.startSpan(summary, { kind: SpanKind.CLIENT, attributes }, scope.context()))
    }
    return handle.call(this)
  }
}
