import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { give, passTime, startPricedServer } from '../../test/billing/price-list.ts'
import { type Member, unique } from '../../test/cast.ts'
import { createOperator } from '../operators/operators.ts'
import { choosePlan, createProjectOnPlan, setAutoRenew } from './choose-plan.ts'
import { findNotices } from './notices.ts'
import { showBilling } from './show-billing.ts'

const server = await startPricedServer()
const { db } = server
after(() => server.close())

let acme: Pick<Member, 'id'>

/** A project whose period of 28 to 31 days ends in some days, with an owner and an admin. */
beforeEach(async () => {
  await db`delete from renewal_notices`
  await db`update subscriptions set expires_at = 'infinity'`
  acme = await db.begin(tx => createProjectOnPlan(tx, { name: 'Acme', plan: 'free' }))
  await createOperator(db, acme.id, { name: 'Olga', email: `${unique()}@example.com`, role: 'owner' })
  await createOperator(db, acme.id, { name: 'Adam', email: `${unique()}@example.com`, role: 'admin' })
  await give(db, acme, 2900 + 1250)
  await choosePlan(db, acme.id, 'team')
})

const endIn = (interval: string) => db`
  update subscriptions set expires_at = now() + ${interval}::interval where project_id = ${acme.id}`
const stepsFound = async (): Promise<number[]> => {
  await findNotices(db)
  return (await db`select days from renewal_notices where project_id = ${acme.id} order by days desc`).map(
    ({ days }) => days,
  )
}

test('records a notice once, 7 days before a renewal that the balance does not cover', async () => {
  await endIn('7 days 1 hour')
  assert.deepEqual(await stepsFound(), [])
  await endIn('7 days')
  assert.deepEqual(await stepsFound(), [7])
  const [{ expires_at: end }] = (await db`
    select expires_at from subscriptions where project_id = ${acme.id}`) as unknown as [
    { expires_at: string },
  ]
  assert.ok(end)
  assert.deepEqual(await stepsFound(), [7])
})

test('records each step of a period in turn: 7, 3 and 1 days before', async () => {
  for (const [days, found] of [
    [6, [7]],
    [4, [7]],
    [3, [7, 3]],
    [1, [7, 3, 1]],
  ] as const) {
    await endIn(`${days} days`)
    await db`update renewal_notices n set expires_at = s.expires_at from subscriptions s
      where s.project_id = ${acme.id} and n.project_id = ${acme.id}`
    assert.deepEqual(await stepsFound(), found)
  }
})

test('records no notice if the balance covers the renewal, or if auto-renewal is off', async () => {
  await endIn('2 days')
  await setAutoRenew(db, acme.id, false)
  assert.deepEqual(await stepsFound(), [])
  await choosePlan(db, acme.id, 'firm')
  assert.equal((await showBilling(db, acme.id)).shortfall, 277.5)
  await choosePlan(db, acme.id, 'team')
  await setAutoRenew(db, acme.id, true)
  await give(db, acme, 1650)
  assert.deepEqual(await stepsFound(), [])
  assert.equal((await showBilling(db, acme.id)).shortfall, null)
})

test('records a notice before the end of a trial too', async () => {
  acme = await db.begin(tx => createProjectOnPlan(tx, { name: 'Acme' }))
  await createOperator(db, acme.id, { name: 'Olga', email: `${unique()}@example.com`, role: 'owner' })
  await passTime(db, acme, '12 days')
  assert.deepEqual(await stepsFound(), [3])
})
