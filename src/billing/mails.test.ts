import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { give, startPricedServer } from '../../test/billing/price-list.ts'
import { type Member, unique } from '../../test/cast.ts'
import { type Delivered, startMailbox } from '../../test/mailbox.ts'
import { createMailer } from '../core/mail/mail.ts'
import { createOperator } from '../operators/operators.ts'
import { choosePlan, createProjectOnPlan, setAutoRenew } from './choose-plan.ts'
import { createOffline } from './gateways/offline.ts'
import { deleteOldMails, sendBillingMail } from './mails.ts'
import { findNotices } from './notices.ts'
import { expireOrders } from './order-payment.ts'
import { closeDispute, failPayment, getPayment, isDisputed, receivePayment } from './payments.ts'
import { renewDue } from './renew.ts'
import { topUp } from './top-up.ts'

const server = await startPricedServer()
const { db } = server
let isAway = false
const box = await startMailbox(() => isAway)
after(async () => {
  await server.close()
  await box.close()
})

const mailerAt = (smtpUrl: string) => createMailer({ smtpUrl, mailFrom: 'Desk <desk@example.com>' })!
const publicUrl = 'https://desk.example.com'
const sender = { mailer: mailerAt(box.url), publicUrl, billingMailTo: 'host@example.com' }

let acme: Pick<Member, 'id'>
let owners: string[]
before(() => createOperator(db, server.rival.id, { name: 'Rita', email: 'rita@rival.test', role: 'owner' }))

/** A project with two owners, an admin, and 12.50 EUR after its first period. */
beforeEach(async () => {
  await db`delete from billing_mails`
  await db`update subscriptions set expires_at = 'infinity'`
  isAway = false
  acme = await db.begin(tx => createProjectOnPlan(tx, { name: 'Acme', plan: 'free' }))
  owners = [`a${unique()}@example.com`, `b${unique()}@example.com`]
  for (const email of owners) await createOperator(db, acme.id, { name: 'Olga', email, role: 'owner' })
  await createOperator(db, acme.id, { name: 'Adam', email: `${unique()}@example.com`, role: 'admin' })
  await give(db, acme, 2900 + 1250)
  await choosePlan(db, acme.id, 'team')
})

const endIn = (interval: string) => db`
  update subscriptions set expires_at = now() + ${interval}::interval where project_id = ${acme.id}`
const order = () => topUp(db, createOffline(''), acme.id, { amount: 5000, currency: 'EUR', by: 'olga' })

/** Sends all due mails, and returns those that arrived. */
async function sendAll(): Promise<Delivered[]> {
  const from = box.mails.length
  while (await sendBillingMail(db, sender));
  return box.mails.slice(from)
}
const subjectsOf = (mails: Delivered[]) => mails.map(({ text }) => /^Subject: (.*)\r$/m.exec(text)![1])
const readersOf = (mails: Delivered[]) => mails.map(({ to }) => to.join()).sort()

test('warns each owner in a mail of their own, with the missing amount, the time left and a link to the page', async () => {
  await endIn('2 days')
  await findNotices(db)
  const mails = await sendAll()
  assert.deepEqual(readersOf(mails), owners)
  const { text } = mails[0]!
  assert.match(text, /^Subject: Acme: balance too low for the renewal in 2 days\r$/m)
  assert.match(text, /^Auto-Submitted: auto-generated\r$/m)
  assert.match(text, /costs 29\.00 EUR to renew. Your balance is 12\.50 EUR, so you're 16\.50 EUR short/)
  assert.match(text, /Content-Type: text\/html/)
  assert.ok(text.includes(`${publicUrl}/p/${acme.id}/settings/billing`))
  await findNotices(db)
  assert.deepEqual(await sendAll(), [])
})

test('gives the time left in hours on the last day', async () => {
  await endIn('20 hours')
  await findNotices(db)
  assert.match(subjectsOf(await sendAll())[0]!, /in 20 hours$/)
})

test('drops a warning after a sufficient top-up, and an earlier warning once the next one is due', async () => {
  await endIn('6 days')
  await findNotices(db)
  await endIn('2 days')
  await findNotices(db)
  assert.equal((await sendAll()).length, 2)
  await endIn('5 hours')
  await findNotices(db)
  await give(db, acme, 10_000)
  assert.deepEqual(await sendAll(), [])
})

test('notifies owners of a received payment, a failed order and an ended plan', async () => {
  await receivePayment(db, await order(), { amount: 5000, currency: 'EUR', transaction_id: null, by: 'host' })
  assert.deepEqual(subjectsOf(await sendAll()), Array(2).fill('Acme: we received your payment of 50.00 EUR'))
  await failPayment(db, await order(), 'cancelled')
  assert.deepEqual(subjectsOf(await sendAll()), Array(2).fill('Acme: your payment of 50.00 EUR failed'))
  await setAutoRenew(db, acme.id, false)
  await endIn('-1 minute')
  await renewDue(db, acme.id)
  assert.deepEqual(subjectsOf(await sendAll()), Array(2).fill('Acme: your Team plan has ended'))
})

test('expires an order at its deadline, and still credits a payment that arrives later', async () => {
  const payment = await order()
  const days = (Date.parse(`${payment.expires_at}Z`) - Date.now()) / 86_400_000
  assert.equal(Math.round(days), 30)
  assert.equal(await expireOrders(db), 0)
  await db`update payments set expires_at = now() where project_id = ${acme.id} and id = ${payment.id}`
  assert.equal(await expireOrders(db), 1)
  const { status, reason } = await getPayment(db, payment.order_id)
  assert.deepEqual([status, reason], ['failed', 'expired'])
  assert.match((await sendAll())[0]!.text, /failed: it expired/)
  const late = { amount: 5000, currency: 'EUR', transaction_id: null, by: 'host' }
  assert.equal(await receivePayment(db, payment, late), true)
})

test('notifies the host once of a disputed payment, which stays disputed after its order expires, until the host closes it', async () => {
  const payment = await order()
  const arrival = { amount: 4999, currency: 'EUR', transaction_id: null, by: 'stripe' }
  for (const _ of [1, 2])
    await assert.rejects(receivePayment(db, payment, arrival), /disputed: 49\.99 EUR came/)
  const mails = await sendAll()
  assert.deepEqual(readersOf(mails), ['host@example.com'])
  await db`update payments set expires_at = now() where project_id = ${acme.id} and id = ${payment.id}`
  assert.equal(await expireOrders(db), 1)
  const ended = await getPayment(db, payment.order_id)
  assert.deepEqual([ended.status, isDisputed(ended), await sendAll()], ['failed', true, []])
  assert.deepEqual(
    [await closeDispute(db, payment, 'sent back'), await closeDispute(db, payment, '')],
    [true, false],
  )
  assert.equal((await getPayment(db, payment.order_id)).reason, 'sent back')
})

test('keeps a mail while the mail server is unavailable, sends it once afterwards, and drops it after a week', async () => {
  await failPayment(db, await order(), 'cancelled')
  isAway = true
  await assert.rejects(sendBillingMail(db, sender))
  await assert.rejects(sendBillingMail(db, { ...sender, mailer: mailerAt('smtp://127.0.0.1:9') }))
  assert.equal(await sendBillingMail(db, sender), 0, 'both pause')
  isAway = false
  await db`update billing_mails set due_at = now()`
  assert.deepEqual([(await sendAll()).length, (await sendAll()).length], [2, 0])
  await failPayment(db, await order(), 'cancelled')
  assert.equal(await sendBillingMail(db, null), 0)
  assert.equal(await deleteOldMails(db), 0)
  await db`update billing_mails set created_at = now() - interval '8 days'`
  assert.equal(await deleteOldMails(db), 2)
})

test('sends no mail to a former owner, nor to another project', async () => {
  await failPayment(db, await order(), 'cancelled')
  await db`update operators set role = 'admin' where project_id = ${acme.id} and email = ${owners[0]!}`
  assert.deepEqual(readersOf(await sendAll()), [owners[1]])
})
