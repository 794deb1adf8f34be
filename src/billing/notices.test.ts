import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { give, passTime, startPricedServer } from '../../test/billing/price-list.ts'
import { type Member, unique } from '../../test/cast.ts'
import { startMailbox } from '../../test/mailbox.ts'
import { createMailer, type Mailer } from '../core/mail.ts'
import { createOperator } from '../operators/operators.ts'
import { choosePlan, openProject, setAutoRenew } from './choose.ts'
import { findNotices, mailNotices } from './notices.ts'
import { showBilling } from './show.ts'

const server = await startPricedServer()
const { db } = server
after(() => server.close())

let acme: Pick<Member, 'id'>
let owner: string

/** A project whose period of 28 to 31 days ends in some days, with an owner and somebody who is none. */
beforeEach(async () => {
  await db`delete from renewal_notices`
  await db`update subscriptions set expires_at = 'infinity'`
  acme = await db.begin(tx => openProject(tx, { name: 'Acme', plan: 'free' }))
  owner = `${unique()}@example.com`
  await createOperator(db, acme.id, { name: 'Olga', email: owner, role: 'owner' })
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
const link = 'http://desk.example.com'

test('7, 3 and 1 days before a renewal that the balance does not cover, once each', async () => {
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

test('each step of one period is told, and after a downtime only the last', async () => {
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

test('a renewal that is covered, or will not be, is no reason for a warning', async () => {
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

test('owners get one mail, which says what is missing', async context => {
  const box = await startMailbox()
  context.after(() => box.close())
  const mailer = createMailer({ smtpUrl: box.url, mailFrom: 'Desk <desk@example.com>' })
  await endIn('2 days')
  await findNotices(db)
  assert.deepEqual(await Promise.all([1, 2, 3].map(() => mailNotices(db, mailer, link))), [1, 0, 0])
  await findNotices(db)
  assert.equal(await mailNotices(db, mailer, link), 0)
  const [mail, ...others] = box.mails
  assert.deepEqual([mail!.from, mail!.to, others], ['desk@example.com', [owner], []])
  assert.match(mail!.text, /Subject: Acme: the balance does not cover the renewal in 3 days/)
  assert.match(mail!.text, /costs 29\.00 EUR then, and the balance is 12\.50 EUR: 16\.50 EUR are missing/)
})

test('while the mail server is away the warning waits, and is then sent once', async context => {
  let isAway = true
  const box = await startMailbox(() => isAway)
  context.after(() => box.close())
  const send = (mailer: Mailer) => mailNotices(db, mailer, link)
  const gone = createMailer({ smtpUrl: 'smtp://127.0.0.1:9', mailFrom: 'desk@example.com' })!
  const mailer = createMailer({ smtpUrl: box.url, mailFrom: 'desk@example.com' })!
  await endIn('2 days')
  await findNotices(db)
  for (const away of [gone, mailer]) {
    await assert.rejects(send(away))
    assert.equal(await send(away), 0, 'it pauses')
    await db`update renewal_notices set lease_until = now()`
  }
  isAway = false
  assert.deepEqual([await send(mailer), await send(mailer), box.mails.length], [1, 0, 1])
})

test('what was topped up meanwhile is not told any more', async () => {
  const sent: string[] = []
  const mailer: Mailer = { send: async ({ subject }) => void sent.push(subject) }
  await endIn('2 days')
  await findNotices(db)
  await give(db, acme, 10_000)
  assert.deepEqual([await mailNotices(db, mailer, link), sent], [0, []])
})

test('without settings of mail nothing is sent, and half of them is refused with a sentence', async () => {
  await endIn('2 days')
  await findNotices(db)
  assert.equal(createMailer({ smtpUrl: null, mailFrom: null }), null)
  assert.equal(await mailNotices(db, null, link), 0)
  assert.throws(() => createMailer({ smtpUrl: 'smtp://127.0.0.1', mailFrom: null }), /MAIL_FROM: set it too/)
})

test('a trial is warned of too', async () => {
  acme = await db.begin(tx => openProject(tx, { name: 'Acme' }))
  await passTime(db, acme, '12 days')
  assert.deepEqual(await stepsFound(), [3])
})
