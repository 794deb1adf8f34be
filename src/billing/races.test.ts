import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { give, passTime, startPricedServer } from '../../test/billing/price-list.ts'
import { type Member, typesOf } from '../../test/cast.ts'
import { connect, type Db } from '../core/db/db.ts'
import { withHooks } from '../events/log.ts'
import { choosePlan, createProjectOnPlan } from './choose-plan.ts'
import { findAccount, listLedgerEntries } from './ledger.ts'
import { renewDue, renewNow } from './renew.ts'
import { findPlanStatus } from './subscription.ts'

const server = await startPricedServer()
/** Stands for a second process, with its own connections. */
const other = withHooks(connect(server.target, { max: 10 }), server.db.hooks!)
after(async () => {
  await other.end()
  await server.close()
})

let acme: Member
beforeEach(async () => {
  const { id, name } = await server.db.begin(tx => createProjectOnPlan(tx, { name: 'Acme', plan: 'free' }))
  acme = { id, name, key: server.acme.key }
})

const happened = (act: () => Promise<unknown>) => typesOf({ ...server, acme }, act)
const times = <T>(count: number, act: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => act(at)))
const process = (at: number): Db => (at % 2 ? other : server.db)

async function startTeam(balance: number): Promise<string> {
  await give(server.db, acme, balance)
  await choosePlan(server.db, acme.id, 'team')
  return (await findPlanStatus(server.db, acme.id)).subscription!.expires_at
}

const charges = async () =>
  (await listLedgerEntries(server.db, acme.id)).filter(({ cause }) => cause === 'plan').length

test('100 concurrent renewals of one project by the jobs of two processes charge once', async () => {
  await startTeam(2900 * 50)
  await passTime(server.db, acme, '32 days')
  const types = await happened(() => times(100, at => renewDue(process(at), acme.id)))
  assert.deepEqual(types, ['billing.plan_renewed'])
  assert.equal((await findAccount(server.db, acme.id))?.balance, 2900 * 48)
  assert.equal(await charges(), 2)
})

test('100 concurrent manual renewals of the same period charge once', async () => {
  const seen = await startTeam(2900 * 50)
  let outcomes: string[] = []
  const types = await happened(async () => {
    const answers = await times(100, at => renewNow(process(at), acme.id, seen))
    outcomes = answers.map(({ outcome }) => outcome)
  })
  assert.deepEqual(types, ['billing.plan_renewed'])
  assert.equal(outcomes.filter(outcome => outcome === 'unchanged').length, 99)
  assert.equal(await charges(), 2)
})

test('a manual renewal concurrent with the job charges one period', async () => {
  const seen = await startTeam(2900 * 50)
  await passTime(server.db, acme, '32 days')
  const { expires_at } = (await findPlanStatus(server.db, acme.id)).subscription!
  assert.notEqual(expires_at, seen)
  const types = await happened(() =>
    times(40, async at =>
      at % 4 ? renewDue(process(at), acme.id) : renewNow(process(at), acme.id, expires_at),
    ),
  )
  assert.deepEqual(types, ['billing.plan_renewed'])
  assert.equal(await charges(), 2)
})

test('a plan chosen many times concurrently starts once', async () => {
  await give(server.db, acme, 2900 * 10)
  const types = await happened(() => times(50, at => choosePlan(process(at), acme.id, 'team')))
  assert.deepEqual(types, ['billing.plan_changed'])
  assert.equal((await findAccount(server.db, acme.id))?.balance, 2900 * 9)
})

test('a credit concurrent with the end of a plan is either used for the renewal or kept, but never lost', async () => {
  await startTeam(2900)
  await passTime(server.db, acme, '32 days')
  await Promise.all([renewDue(server.db, acme.id), give(other, acme, 2900), renewDue(other, acme.id)])
  const { plan } = await findPlanStatus(server.db, acme.id)
  const { balance } = (await findAccount(server.db, acme.id))!
  assert.ok((plan === 'team' && balance === 0) || (plan === 'free' && balance === 2900), `${plan} ${balance}`)
})
