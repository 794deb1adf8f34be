import type { FastifyInstance } from 'fastify'
import { logApart } from './log.ts'

/** What a process tells of single requests and works to OpenTelemetry; nobody listens unless a setting says so. */

/** Ids, names of ours and numbers: never what people wrote, no secrets, no addresses with their paths. */
export type Attributes = Record<string, string | number>

/** Something that has ended. */
export interface Work {
  name: string
  attributes: Attributes
  /** By `performance.now()`. */
  startedAt: number
  /** It asked another server. */
  isCall?: boolean
  /** A code: messages may quote what people wrote. */
  error?: string | null
}

export interface Tracer {
  traceRequests(app: FastifyInstance): void
  traceAttributes(attributes: Attributes): void
  traceWork(work: Work): void
  runApart(work: () => void): void
}

let tracer: Tracer | null = null

/** For all servers and works of this process from now on. */
export const traceWith = (one: Tracer): void => {
  tracer = one
}

export const followRequests = (app: FastifyInstance): void => tracer?.traceRequests(app)

/** Says more of the request under way. */
export function traceAttributes(describe: () => Attributes): void {
  if (tracer) tracer.traceAttributes(describe())
}

/** Belongs to the request under way, if there is one. */
export function traceWork(describe: () => Work): void {
  if (tracer) tracer.traceWork(describe())
}

/** What the work causes does not belong to the request under way. */
export function runApart(work: () => void): void {
  logApart(tracer ? () => tracer!.runApart(work) : work)
}

export const codeOfFailure = (error: unknown): string => {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  return String(code ?? name ?? 'unknown')
}
