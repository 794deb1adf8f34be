import type { Vault } from '../core/crypto.ts'
import { now } from '../core/time.ts'
import { bodyOf } from './body.ts'
import type { Claimed, Settled } from './claim.ts'
import type { AttemptEntry } from './schema.ts'
import type { Outcome, Sender } from './send.ts'
import { signRequest } from './sign.ts'

export interface Attempting {
  sender: Sender
  vault: Vault
  /** Milliseconds before the second and each later attempt. */
  delays: readonly number[]
}

/** So many processes died holding it that it counts as tried: it may be what kills them. */
const mostLapses = 3

const interrupted = {
  ok: false,
  status_code: null,
  error: 'interrupted',
  latency_ms: 0,
  response_excerpt: null,
} as const

export function printEntry(attempt: number, at: string, outcome: Outcome | typeof interrupted): AttemptEntry {
  const { status_code, error, latency_ms, response_excerpt } = outcome
  return { attempt, at, status_code, error, latency_ms, response_excerpt }
}

/** One attempt of a delivery: a failure is an outcome, never an exception. */
export async function attemptDelivery(row: Claimed, { sender, vault, delays }: Attempting): Promise<Settled> {
  const { project_id, webhook_id, id, claim_id } = row
  const claim = { project_id, webhook_id, id, claim_id }
  const body = bodyOf(project_id, row)
  if (body === null) return { ...claim, status: 'cancelled', entry: null, pause: null }
  const attempt = row.attempts + 1
  const at = now()
  const outcome = row.lapses < mostLapses ? await send(row, attempt, Buffer.from(body)) : interrupted
  const entry = printEntry(attempt, at, outcome)
  if (outcome.ok) return { ...claim, status: 'succeeded', entry, pause: null }
  const pause = row.is_test ? null : (delays[row.attempts] ?? null)
  return { ...claim, status: pause === null ? 'failed' : null, entry, pause }

  function send(target: Claimed, attempt: number, body: Buffer): Promise<Outcome> {
    return sender.send(signRequest(vault, target, { id, type: row.event_type, attempt, body }))
  }
}
