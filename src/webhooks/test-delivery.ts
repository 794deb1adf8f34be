import type { Vault } from '../core/crypto.ts'
import type { Db } from '../core/db/db.ts'
import { newId } from '../core/ids.ts'
import { isOneOf } from '../core/objects.ts'
import { now } from '../core/time.ts'
import { eventTypes, testEvent } from '../events/catalogue.ts'
import { printEnvelope } from '../events/envelope.ts'
import { checkEventNames } from '../events/names.ts'
import { sampleData } from '../events/samples.ts'
import { printEntry, traceAttempt } from './attempt.ts'
import { insertTestDelivery } from './delivery-queries.ts'
import type { KeyedSemaphore } from './keyed-semaphore.ts'
import type { SendOutcome } from './response.ts'
import type { Sender } from './send.ts'
import { type SignedRequest, signRequest } from './sign.ts'
import { getTarget } from './webhooks.ts'

const testEventData = (webhookId: string, type: string): object =>
  isOneOf(type, eventTypes)
    ? { ...sampleData(type), test: true }
    : { webhook_id: webhookId, message: 'This is a test event' }

/** A test ends within 10.5 s: the wait for a slot, the attempt, and the end of reading the response. */
const testTimeoutMs = 10_000

/** A slot that becomes free later leaves too little time for an attempt. */
const maxQueueWaitMs = 9_000

/** How many tests of a project run at the same time; the others wait. */
export const maxTestDeliveriesPerProject = 8

export interface TestDeliveryDeps {
  db: Db
  vault: Vault
  sender: Sender
  testSlots: KeyedSemaphore
}

const timedOut = (): SendOutcome => ({
  ok: false,
  status_code: null,
  error: 'timeout',
  latency_ms: maxQueueWaitMs,
  response_excerpt: null,
})

/**
 * Makes one attempt with the request of `sign` as soon as a slot is free. Sends nothing if the webhook is deleted while it waits.
 */
async function attemptOnce(
  { sender, testSlots }: TestDeliveryDeps,
  projectId: string,
  sign: () => Promise<SignedRequest>,
) {
  const startedAt = performance.now()
  const outcome = await testSlots.run(projectId, maxQueueWaitMs, async () =>
    sender.send(await sign(), {
      limit: testTimeoutMs - (performance.now() - startedAt),
      usesNewConnection: true,
    }),
  )
  return outcome ?? timedOut()
}

/**
 * Sends one event at once and waits for the response: one attempt, even if the webhook is disabled, without changing its state.
 */
export async function sendTestDelivery(
  deps: TestDeliveryDeps,
  projectId: string,
  webhookId: string,
  type: string = testEvent,
) {
  const { db, vault } = deps
  const readTarget = () => getTarget(db, projectId, webhookId)
  const [id, at] = [newId(), now()]
  const target = await readTarget()
  checkEventNames([type], 'event')
  const event = { id: newId(), type, data: JSON.stringify(testEventData(webhookId, type)), created_at: at }
  const body = printEnvelope(projectId, event)
  const startedAt = performance.now()
  let signed = signRequest(vault, projectId, target, { id, type, attempt: 1, body: Buffer.from(body) })
  const outcome = await attemptOnce(deps, projectId, async () => {
    signed = signRequest(vault, projectId, await readTarget(), { id, type, attempt: 1, body: signed.body })
    return signed
  })
  traceAttempt({ projectId, webhookId, id, type, attempt: 1, startedAt }, outcome)
  await insertTestDelivery(db, projectId, webhookId, {
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
