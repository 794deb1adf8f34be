import fc from 'fast-check'
import { choosePlan, setAutoRenew, setProjectPlan } from '../../src/billing/choose-plan.ts'
import { createOffline } from '../../src/billing/gateways/offline.ts'
import { insertLedgerEntry, type NewLedgerEntry } from '../../src/billing/ledger.ts'
import { failPayment, type Payment, receivePayment } from '../../src/billing/payments.ts'
import { renewDue, renewNow } from '../../src/billing/renew.ts'
import { findPlanStatus } from '../../src/billing/subscription.ts'
import { topUp } from '../../src/billing/top-up.ts'
import { UserError } from '../../src/core/user-error.ts'
import type { Tx } from '../../src/events/transaction.ts'
import { unique } from '../cast.ts'
import { passTime } from './price-list.ts'
import { acts, type World } from './world.ts'

/** Random histories of one project, and the effect of each step on model and database. */

/** A transaction for one project, with the orders created so far. */
export type HistoryTx = Tx & { orders: Payment[] }

export interface Step {
  name: string
  /** The text that a failure prints. */
  [fc.toStringMethod]: () => string
  model(world: World): unknown
  real(tx: HistoryTx): Promise<unknown>
}

const step = (name: string, model: Step['model'], real: Step['real']): Step => ({
  name,
  model,
  real,
  [fc.toStringMethod]: () => name,
})

const bookNow = (tx: Tx, amount: number, cause: NewLedgerEntry['cause']) =>
  insertLedgerEntry(tx, tx.projectId, { amount, currency: 'EUR', cause, key: unique() })

const offline = createOffline('')

async function order(tx: HistoryTx, amount: number): Promise<void> {
  tx.orders.push(await topUp(tx, offline, tx.projectId, { amount, currency: 'EUR', by: 'test' }))
}

function orderOf({ orders }: HistoryTx, at: number): Payment {
  const found = orders[at % orders.length]
  if (!found) throw new UserError('There is no order')
  return found
}

const confirm = async (tx: HistoryTx, at: number, more = 0) => {
  const payment = orderOf(tx, at)
  const receipt = { ...payment, amount: payment.amount + more, transaction_id: 'txn', by: 'test' }
  await receivePayment(tx, payment, receipt)
}

async function renewSeen(tx: Tx): Promise<void> {
  const { subscription } = await findPlanStatus(tx, tx.projectId)
  await renewNow(tx, tx.projectId, subscription?.expires_at ?? '')
}

async function runJob(tx: Tx): Promise<void> {
  while ((await renewDue(tx, tx.projectId)) > 0);
}

const amounts = fc.oneof(fc.constantFrom(2900, 29000, 5800), fc.integer({ min: 1, max: 50_000 }))
const codes = fc.constantFrom('free', 'team', 'firm', 'dollar', 'trial', 'unlimited', 'basic')

const named = {
  credit: amounts.map(amount =>
    step(
      `credit ${amount}`,
      world => acts.credit(world, amount),
      tx => bookNow(tx, amount, 'credit'),
    ),
  ),
  correct: fc
    .tuple(amounts, fc.boolean())
    .map(([amount, isMore]) => (isMore ? amount : -amount))
    .map(amount =>
      step(
        `correct ${amount}`,
        world => acts.correct(world, amount),
        tx => bookNow(tx, amount, 'correction'),
      ),
    ),
  order: amounts.map(amount =>
    step(
      `order ${amount}`,
      world => acts.order(world, amount),
      tx => order(tx, amount),
    ),
  ),
  confirm: fc.nat(3).map(at =>
    step(
      `confirm ${at}`,
      world => acts.confirm(world, at),
      tx => confirm(tx, at),
    ),
  ),
  cancel: fc.nat(3).map(at =>
    step(
      `cancel ${at}`,
      world => acts.cancel(world, at),
      async tx => failPayment(tx, orderOf(tx, at), 'cancelled'),
    ),
  ),
  dispute: fc.nat(3).map(at =>
    step(
      `confirm ${at} with another amount`,
      world => acts.dispute(world, at),
      tx => confirm(tx, at, 1),
    ),
  ),
  choose: codes.map(code =>
    step(
      `choose ${code}`,
      world => acts.choose(world, code),
      tx => choosePlan(tx, tx.projectId, code),
    ),
  ),
  autoRenew: fc.boolean().map(on =>
    step(
      `auto-renew ${on}`,
      world => acts.autoRenew(world, on),
      tx => setAutoRenew(tx, tx.projectId, on),
    ),
  ),
  renew: fc.constant(step('renew', acts.renewNow, renewSeen)),
  renewStale: fc.constant(
    step(
      'renew an already renewed period',
      world => acts.autoRenew(world, world.subscription?.autoRenew ?? true),
      tx => renewNow(tx, tx.projectId, '2001-01-01T00:00:00.000000'),
    ),
  ),
  job: fc.constant(step('job', acts.job, runJob)),
  jobTwice: fc.constant(
    step('job twice', acts.job, async tx => {
      await runJob(tx)
      await runJob(tx)
    }),
  ),
  setPlan: codes.map(code =>
    step(
      `admin sets ${code}`,
      world => acts.setPlan(world, code),
      tx => setProjectPlan(tx, tx.projectId, code),
    ),
  ),
  changePlan: fc
    .tuple(
      fc.constantFrom('team', 'firm'),
      fc.constantFrom(0, 1900, 2900, 3900),
      fc.option(fc.integer({ min: 0, max: 500 })),
    )
    .map(([code, price, limit]) =>
      step(
        `${code} costs ${price}, limit ${limit}`,
        world => acts.changePlan(world, code, { price, limit }),
        tx => tx`update plans set price = ${price}, monthly_ticket_limit = ${limit} where code = ${code}`,
      ),
    ),
  pass: fc.oneof(fc.integer({ min: 1, max: 45 }), fc.integer({ min: 1, max: 800 })).map(days =>
    step(
      `${days} days pass`,
      world => acts.pass(world, days),
      tx => passTime(tx, { id: tx.projectId }, `${days} days`),
    ),
  ),
}

const weights: Partial<Record<keyof typeof named, number>> = {
  pass: 6,
  job: 5,
  credit: 4,
  choose: 3,
  renew: 2,
}

export const steps = fc.array(
  fc.oneof(
    ...Object.entries(named).map(([name, arbitrary]) => ({
      arbitrary: arbitrary as fc.Arbitrary<Step>,
      weight: weights[name as keyof typeof named] ?? 1,
    })),
  ),
  { maxLength: 16 },
)

export const beginnings = fc.constantFrom('trial', 'free', 'unlimited', 'team')
