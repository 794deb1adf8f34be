import type { Vault } from '../core/crypto.ts'
import type { Db } from '../core/db.ts'
import { newId } from '../core/ids.ts'
import { now } from '../core/time.ts'
import { type EventType, testEvent } from '../events/catalogue.ts'
import { printEnvelope } from '../events/envelope.ts'
import { sampleData } from '../events/samples.ts'
import { printEntry } from './attempt.ts'
import { insertTrial } from './delivery-queries.ts'
import type { Sender } from './send.ts'
import { signRequest } from './sign.ts'
import { checkEventNames, getTarget } from './webhooks.ts'

const trialData = (webhookId: string, type: string): object =>
  type === testEvent
    ? { webhook_id: webhookId, message: 'This is a test event' }
    : { ...sampleData(type as EventType), test: true }

/** Sends one event at once and waits for the answer: one attempt, also when switched off; it changes no state. */
export async function sendTrial(
  deps: { db: Db; vault: Vault; sender: Sender },
  projectId: string,
  webhookId: string,
  type: string = testEvent,
) {
  const target = await getTarget(deps.db, projectId, webhookId)
  checkEventNames([type], 'event')
  const at = now()
  const event = { id: newId(), type, data: JSON.stringify(trialData(webhookId, type)), created_at: at }
  const body = printEnvelope(projectId, event)
  const id = newId()
  const signed = signRequest(deps.vault, target, { id, type, attempt: 1, body: Buffer.from(body) })
  const outcome = await deps.sender.send(signed)
  await insertTrial(deps.db, projectId, webhookId, {
    id,
    event_id: event.id,
    event_type: type,
    status: outcome.ok ? 'succeeded' : 'failed',
    entry: printEntry(1, at, outcome),
    request_body: body,
    created_at: at,
  })
  return {
    delivered: outcome.ok,
    status_code: outcome.status_code,
    error: outcome.ok ? null : outcome.error,
    latency_ms: outcome.latency_ms,
    delivery_id: id,
    signature_header: signed.headers['X-Webhook-Signature']!,
  }
}
