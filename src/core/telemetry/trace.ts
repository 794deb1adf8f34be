import type { FastifyInstance } from 'fastify'
import { propertyOf } from '../objects.ts'
import { logApart } from './log.ts'

/** Reports requests and other work to OpenTelemetry, if a setting enables it. */

/** Ids, our own names and numbers. Never text that people wrote, secrets, or URLs with their paths. */
export type Attributes = Record<string, string | number>

/** A piece of work that has ended. */
export interface Work {
  name: string
  attributes: Attributes
  /** By `performance.now()`. */
  startedAt: number
  /** Whether it was a request to another server. */
  isCall?: boolean
  /** An error code, because messages may quote what people wrote. */
  error?: string | null
}

export interface Tracer {
  traceRequests(app: FastifyInstance): void
  traceAttributes(attributes: Attributes): void
  traceWork(work: Work): void
  runApart(work: () => void): void
}

let tracer: Tracer | null = null

/** Sets the tracer for everything in this process from now on. */
export const traceWith = (one: Tracer): void => {
  tracer = one
}

export const followRequests = (app: FastifyInstance): void => tracer?.traceRequests(app)

/** Adds attributes to the current request. */
export function traceAttributes(describe: () => Attributes): void {
  if (tracer) tracer.traceAttributes(describe())
}

/** Reports work that belongs to the current request, if there is one. */
export function traceWork(describe: () => Work): void {
  if (tracer) tracer.traceWork(describe())
}

/** Detaches the work from the current request. */
export function runApart(work: () => void): void {
  logApart(tracer ? () => tracer!.runApart(work) : work)
}

export const codeOfFailure = (error: unknown): string =>
  String(propertyOf(error, 'code') ?? propertyOf(error, 'name') ?? 'unknown')
