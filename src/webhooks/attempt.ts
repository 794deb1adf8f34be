import type { Vault } from '../core/crypto.ts'
import { traceWork } from '../core/telemetry/trace.ts'
import { now } from '../core/time.ts'
import { bodyOf } from './body.ts'
import type { ClaimedDelivery } from './queue.ts'
import type { DeliveryResult } from './record.ts'
import type { SendOutcome } from './response.ts'
import type { AttemptEntry } from './schema.ts'
import { type SignedRequest, signRequest } from './sign.ts'

/** After so many processes have died during an attempt, it counts as failed, because it may be the cause. */
export const maxLapses = 3

/** The outcome of an attempt that is not made, because several processes died during it. */
export const interrupted = {
  ok: false,
  status_code: null,
  error: 'interrupted',
  latency_ms: 0,
  response_excerpt: null,
} as const

type Outcome = SendOutcome | typeof interrupted

export function printEntry(attempt: number, at: string, outcome: Outcome): AttemptEntry {
  const { status_code, error, latency_ms, response_excerpt } = outcome
  return { attempt, at, status_code, error, latency_ms, response_excerpt }
}

interface TracedAttempt {
  projectId: string
  webhookId: string
  id: string
  type: string
  attempt: number
  startedAt: number
}

/** Traces an attempt, without the URL of the target, which may contain a secret. */
export function traceAttempt(traced: TracedAttempt, { status_code, error }: SendOutcome): void {
  traceWork(() => ({
    name: 'webhook attempt',
    isCall: true,
    startedAt: traced.startedAt,
    error,
    attributes: {
      'deskbell.project_id': traced.projectId,
      'deskbell.webhook_id': traced.webhookId,
      'deskbell.delivery_id': traced.id,
      'deskbell.event': traced.type,
      'deskbell.attempt': traced.attempt,
      ...(status_code !== null && { 'http.response.status_code': status_code }),
    },
  }))
}

interface PreparedAttempt {
  number: number
  at: string
  startedAt: number
  request: SignedRequest
}

/** The signed request of the next attempt; null if there is nothing left to send. */
export function prepareAttempt(vault: Vault, row: ClaimedDelivery): PreparedAttempt | null {
  const { project_id, id, event_type: type, attempts } = row
  const body = bodyOf(project_id, row)
  if (body === null) return null
  const number = attempts + 1
  const request = signRequest(vault, project_id, row, { id, type, attempt: number, body: Buffer.from(body) })
  return { number, at: now(), startedAt: performance.now(), request }
}

const claimOf = ({ project_id, webhook_id, id, claim_id, place }: ClaimedDelivery) => ({
  project_id,
  webhook_id,
  id,
  claim_id,
  place,
})

export const printCancelled = (row: ClaimedDelivery): DeliveryResult => ({
  ...claimOf(row),
  status: 'cancelled',
  entry: null,
  pause: null,
})

/** The result of an attempt. `delays` are the milliseconds before the second and each later attempt. */
export function judgeAttempt(
  row: ClaimedDelivery,
  { number, at, startedAt }: PreparedAttempt,
  outcome: Outcome,
  delays: readonly number[],
): DeliveryResult {
  const { project_id: projectId, webhook_id: webhookId, id, event_type: type } = row
  if (outcome.error !== 'interrupted')
    traceAttempt({ projectId, webhookId, id, type, attempt: number, startedAt }, outcome)
  const entry = printEntry(number, at, outcome)
  if (outcome.ok) return { ...claimOf(row), status: 'succeeded', entry, pause: null }
  const pause = row.is_test ? null : (delays[row.attempts] ?? null)
  return { ...claimOf(row), status: pause === null ? 'failed' : null, entry, pause }
}
