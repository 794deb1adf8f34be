import type { Vault } from '../core/crypto.ts'
import { traceWork } from '../core/telemetry/trace.ts'
import { now } from '../core/time.ts'
import { bodyOf } from './body.ts'
import type { ClaimedDelivery, DeliveryResult } from './claim.ts'
import type { AttemptEntry } from './schema.ts'
import type { Sender, SendOutcome } from './send.ts'
import { signRequest } from './sign.ts'

export interface AttemptDeps {
  sender: Sender
  vault: Vault
  /** Milliseconds before the second and each later attempt. */
  delays: readonly number[]
}

/** After so many processes have died during an attempt, it counts as failed, because it may be the cause. */
const maxLapses = 3

const interrupted = {
  ok: false,
  status_code: null,
  error: 'interrupted',
  latency_ms: 0,
  response_excerpt: null,
} as const

export function printEntry(
  attempt: number,
  at: string,
  outcome: SendOutcome | typeof interrupted,
): AttemptEntry {
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

/** Makes one attempt of a delivery. A failure is an outcome, never an exception. */
export async function attemptDelivery(
  row: ClaimedDelivery,
  { sender, vault, delays }: AttemptDeps,
): Promise<DeliveryResult> {
  const { project_id, webhook_id, id, claim_id, place } = row
  const claim = { project_id, webhook_id, id, claim_id, place }
  const body = bodyOf(project_id, row)
  if (body === null) return { ...claim, status: 'cancelled', entry: null, pause: null }
  const attempt = row.attempts + 1
  const at = now()
  const outcome = row.lapses < maxLapses ? await send(row, attempt, Buffer.from(body)) : interrupted
  const entry = printEntry(attempt, at, outcome)
  if (outcome.ok) return { ...claim, status: 'succeeded', entry, pause: null }
  const pause = row.is_test ? null : (delays[row.attempts] ?? null)
  return { ...claim, status: pause === null ? 'failed' : null, entry, pause }

  async function send(target: ClaimedDelivery, attempt: number, body: Buffer): Promise<SendOutcome> {
    const startedAt = performance.now()
    const type = row.event_type
    const outcome = await sender.send(signRequest(vault, project_id, target, { id, type, attempt, body }))
    traceAttempt({ projectId: project_id, webhookId: webhook_id, id, type, attempt, startedAt }, outcome)
    return outcome
  }
}
