import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { createPlace } from '../../test/database.ts'
import { createVault } from '../core/crypto.ts'
import { newId } from '../core/ids.ts'
import { createLog } from '../core/telemetry/log.ts'
import { type DeliveryResult, recordResults } from './record.ts'
import { createResultWriter } from './result-writer.ts'
import { changeWebhook, getWebhook, registerWebhook } from './webhooks.ts'

const { db, projectId, drop } = await createPlace({ max: 20 })
after(drop)

const vault = createVault(Buffer.alloc(32))
const register = async () => (await registerWebhook(db, vault, projectId, { url: 'http://x' })).id

/** Creates deliveries in progress, as a claim leaves them. */
async function claimNew(webhookId: string, statuses: DeliveryResult['status'][]): Promise<DeliveryResult[]> {
  const entry = {
    attempt: 6,
    at: '',
    status_code: null,
    error: 'timeout',
    latency_ms: 1,
    response_excerpt: null,
  }
  const settled = statuses.map(status => ({
    project_id: projectId,
    webhook_id: webhookId,
    id: newId(),
    claim_id: newId(),
    place: null,
    status,
    entry,
    pause: status === null ? 30_000 : null,
  }))
  const ids = settled.map(one => one.id)
  const claims = settled.map(one => one.claim_id)
  await db`
    insert into webhook_queue (project_id, webhook_id, id, claim_id, event_seq, event_id, event_type, attempts, run_at,
      lease_until, created_at)
    select ${projectId}, ${webhookId}, id, claim_id, 1, uuid_v7(), 'ticket.closed', 5, now(), now() + interval '1 hour', now()
    from unnest(${ids as never}::uuid[], ${claims as never}::uuid[]) as d (id, claim_id)`
  return settled
}

const state = async (webhookId: string) => {
  const { is_active, consecutive_failures } = await getWebhook(db, projectId, webhookId)
  return { is_active, consecutive_failures }
}

type Step = 'failed' | 'succeeded' | 'retried' | 'cancelled' | 'on' | 'off'
const step = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Step>('failed') },
  { weight: 5, arbitrary: fc.constantFrom<Step>('succeeded', 'retried', 'cancelled', 'on', 'off') },
)

function follow(model: { is_active: boolean; consecutive_failures: number }, step: Step) {
  const failures = model.consecutive_failures + 1
  if (step === 'failed') return { is_active: model.is_active && failures < 5, consecutive_failures: failures }
  if (step === 'succeeded') return { ...model, consecutive_failures: 0 }
  if (step === 'on') return { is_active: true, consecutive_failures: 0 }
  return step === 'off' ? { ...model, is_active: false } : model
}

async function take(
  webhookId: string,
  finisher: ReturnType<typeof createResultWriter>,
  step: Step,
): Promise<void> {
  if (step === 'on' || step === 'off') {
    await finisher.idle()
    await changeWebhook(db, projectId, webhookId, { is_active: step === 'on' }, null)
  } else {
    const [settled] = await claimNew(webhookId, [step === 'retried' ? null : step])
    finisher.add(settled!)
  }
}

test('any history of outcomes and changes results in the failure count and state that the rules require', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async steps => {
      const webhookId = await register()
      const finisher = createResultWriter(db, createLog('silent'))
      for (const one of steps) await take(webhookId, finisher, one)
      await finisher.idle()
      assert.deepEqual(
        await state(webhookId),
        steps.reduce(follow, { is_active: true, consecutive_failures: 0 }),
      )
    }),
    { numRuns: 150 },
  )
})

test('outcomes that end together count in the order in which they ended', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('failed', 'succeeded', null), { maxLength: 40 }),
      async statuses => {
        const webhookId = await register()
        const finisher = createResultWriter(db, createLog('silent'))
        for (const settled of await claimNew(webhookId, statuses)) finisher.add(settled)
        await finisher.idle()
        const steps = statuses.map(status => (status ?? 'retried') as Step)
        assert.deepEqual(
          await state(webhookId),
          steps.reduce(follow, { is_active: true, consecutive_failures: 0 }),
        )
      },
    ),
    { numRuns: 50 },
  )
})

test('concurrent failures on many connections are counted exactly, and disable once', async () => {
  const webhookId = await register()
  const settled = await claimNew(webhookId, Array(40).fill('failed'))
  await Promise.all(settled.map(one => recordResults(db, [one])))
  assert.deepEqual(await state(webhookId), { is_active: false, consecutive_failures: 40 })
  assert.equal((await getWebhook(db, projectId, webhookId)).version, 2)
})

test('four concurrent failures do not disable a subscription, and the next one does', async () => {
  const webhookId = await register()
  const settled = await claimNew(webhookId, Array(5).fill('failed'))
  await Promise.all(settled.slice(1).map(one => recordResults(db, [one])))
  assert.deepEqual(await state(webhookId), { is_active: true, consecutive_failures: 4 })
  await recordResults(db, settled.slice(0, 1))
  assert.deepEqual(await state(webhookId), { is_active: false, consecutive_failures: 5 })
})

test('a late success of an old delivery does not enable a subscription', async () => {
  const webhookId = await register()
  const [late, ...settled] = await claimNew(webhookId, ['succeeded', ...Array(5).fill('failed')])
  for (const one of settled) await recordResults(db, [one])
  await recordResults(db, [late!])
  assert.deepEqual(await state(webhookId), { is_active: false, consecutive_failures: 0 })
})

test('a process that lost its claim changes nothing', async () => {
  const webhookId = await register()
  const [settled] = await claimNew(webhookId, ['failed'])
  await recordResults(db, [{ ...settled!, claim_id: newId() }])
  assert.deepEqual(await state(webhookId), { is_active: true, consecutive_failures: 0 })
  const [waiting] = await db`select attempts from webhook_queue where id = ${settled!.id}`
  assert.equal(waiting!.attempts, 5)
})

test('an outcome that is written twice counts once', async () => {
  const webhookId = await register()
  const [settled] = await claimNew(webhookId, ['failed'])
  await Promise.all([recordResults(db, [settled!]), recordResults(db, [settled!])])
  assert.deepEqual(await state(webhookId), { is_active: true, consecutive_failures: 1 })
})

test('an attempt of a deleted subscription leaves no history', async () => {
  const webhookId = await register()
  const [settled] = await claimNew(webhookId, ['succeeded'])
  await db`update webhooks set deleted_at = now() where id = ${webhookId}`
  await recordResults(db, [settled!])
  const [kept] = await db`select count(*) from webhook_deliveries where webhook_id = ${webhookId}`
  assert.equal(kept!.count, 0)
})
