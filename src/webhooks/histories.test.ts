import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { createPlace } from '../../test/database.ts'
import { createVault } from '../core/crypto.ts'
import { newId } from '../core/ids.ts'
import { createLog } from '../core/telemetry/log.ts'
import type { DeliveryResult } from './record.ts'
import { createResultWriter } from './result-writer.ts'
import { changeWebhook, registerWebhook } from './webhooks.ts'

/** Many webhooks go through random outcomes in parallel; HISTORIES sets the number for a long run. */
const histories = Number(process.env.HISTORIES ?? 300)
const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31))
const longest = 20

const { db, projectId, drop } = await createPlace({ max: 20 })
after(drop)

type Step = 'failed' | 'succeeded' | 'retried' | 'cancelled' | 'on' | 'off'
const step = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Step>('failed') },
  { weight: 4, arbitrary: fc.constantFrom<Step>('succeeded', 'retried', 'cancelled') },
  { weight: 1, arbitrary: fc.constantFrom<Step>('on', 'off') },
)

interface Life {
  id: string
  steps: Step[]
  isActive: boolean
  failures: number
}

function live(life: Life, step: Step): void {
  if (step === 'failed') life.failures++
  if (step === 'failed' && life.failures >= 5) life.isActive = false
  if (step === 'succeeded' || step === 'on') life.failures = 0
  if (step === 'on' || step === 'off') life.isActive = step === 'on'
}

const entry = {
  attempt: 6,
  at: '',
  status_code: null,
  error: 'timeout',
  latency_ms: 1,
  response_excerpt: null,
} as const

/** Creates deliveries in progress with these outcomes, as a claim leaves them. */
async function claimFor(outcomes: { id: string; step: Step }[]): Promise<DeliveryResult[]> {
  const settled = outcomes.map(({ id, step }) => ({
    project_id: projectId,
    webhook_id: id,
    id: newId(),
    claim_id: newId(),
    status: step === 'retried' ? null : (step as DeliveryResult['status']),
    entry,
    pause: step === 'retried' ? 30_000 : null,
  }))
  const [webhooks, ids, claims] = [
    settled.map(one => one.webhook_id),
    settled.map(one => one.id),
    settled.map(one => one.claim_id),
  ]
  const rows = await db<{ id: string; place: string }[]>`
    insert into webhook_queue (project_id, webhook_id, id, claim_id, event_seq, event_id, event_type, attempts, run_at,
      lease_until, created_at)
    select ${projectId}, webhook_id, id, claim_id, 1, uuid_v7(), 'ticket.closed', 5, now(), now() + interval '1 hour', now()
    from unnest(${webhooks as never}::uuid[], ${ids as never}::uuid[], ${claims as never}::uuid[]) as d (webhook_id, id, claim_id)
    returning id, ctid::text as place`
  const places = new Map(rows.map(({ id, place }) => [id, place]))
  return settled.map(one => ({ ...one, place: places.get(one.id)! }))
}

async function takeStep(lives: Life[], at: number, finisher: ReturnType<typeof createResultWriter>) {
  const due = lives.flatMap(life => (life.steps[at] ? [{ life, step: life.steps[at] }] : []))
  const isSwitch = (step: Step) => step === 'on' || step === 'off'
  const outcomes = due.filter(({ step }) => !isSwitch(step)).map(({ life, step }) => ({ id: life.id, step }))
  for (const settled of await claimFor(outcomes)) finisher.add(settled)
  for (const { life, step } of due.filter(one => isSwitch(one.step)))
    await changeWebhook(db, projectId, life.id, { is_active: step === 'on' }, null)
  await finisher.idle()
  for (const { life, step } of due) live(life, step)
}

async function compare(lives: Life[], at: number): Promise<void> {
  const rows = await db<{ id: string; is_active: boolean; consecutive_failures: number }[]>`
    select id, is_active, consecutive_failures from webhooks
    where project_id = ${projectId} and id = any(${lives.map(({ id }) => id) as never}::uuid[])`
  const found = new Map(rows.map(row => [row.id, row]))
  for (const { id, isActive, failures, steps } of lives) {
    const { is_active, consecutive_failures } = found.get(id)!
    const said = `seed ${seed}: ${steps.slice(0, at + 1).join(' ')}`
    assert.deepEqual([is_active, consecutive_failures], [isActive, failures], said)
  }
}

test(`after every step of ${histories} histories a webhook has the state and failure count that the rules require`, async t => {
  t.diagnostic(`FUZZ_SEED=${seed}`)
  const vault = createVault(Buffer.alloc(32))
  const sample = fc.sample(fc.array(step, { minLength: 1, maxLength: longest }), { numRuns: histories, seed })
  const lives: Life[] = []
  for (const steps of sample) {
    const { id } = await registerWebhook(db, vault, projectId, { url: 'http://x' })
    lives.push({ id, steps, isActive: true, failures: 0 })
  }
  const finisher = createResultWriter(db, createLog('silent'))
  for (let at = 0; at < longest; at++) {
    await takeStep(lives, at, finisher)
    await compare(lives, at)
  }
  finisher.stop()
  assert.ok(lives.filter(({ isActive }) => !isActive).length > histories / 10)
})
