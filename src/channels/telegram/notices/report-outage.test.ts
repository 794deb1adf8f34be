import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startMailbox } from '../../../../test/mailbox.ts'
import { joinCast, type Person } from '../../../../test/operator.ts'
import { checkReport } from '../../../../test/outage-reports.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { addOwnBot, insertBot, openStandIn, receiveUpdates } from '../../../../test/telegram/bots.ts'
import { until } from '../../../../test/until.ts'
import { createMailer } from '../../../core/mail/mail.ts'
import { createOperator } from '../../../operators/operators.ts'
import { reportBotOutage } from './report-outage.ts'

/** Bots that cannot receive messages are reported to their project's admins. */

let server: TestServer
let olga: Person
let isAway = false
const inbox = await startMailbox(() => isAway)

before(async () => {
  server = await startServer({ delivers: false })
  ;({ olga } = await joinCast(server))
})
after(async () => {
  await server.close()
  await inbox.close()
})

const mailer = createMailer({ smtpUrl: inbox.url, mailFrom: 'Deskbell <desk@example.com>' })!
const setAway = (value: boolean) => {
  isAway = value
}
const report = () => reportBotOutage(server.db, { mailer, publicUrl: 'https://desk.example.com/' })
const age = (minutes: number) => server.db`
  update telegram_bots set failing_since = failing_since - ${minutes}::int * interval '1 minute',
    report_at = report_at - ${minutes}::int * interval '1 minute'`
const findState = async (id: string) => {
  const [row] = await server.db<{ state: string; report_at: string | null }[]>`
    select state, report_at from telegram_bots where id = ${id}`
  return row!
}

test('a bot that fails for 15 minutes is reported to each admin once, with instructions', async t => {
  const standIn = await openStandIn(t)
  const bot = standIn.addBot()
  const { id } = await addOwnBot(server, standIn, bot)
  // An email to the address of a mailbox would become a ticket.
  const mailbox = await olga.api.post('/mailboxes', { address: 'help@acme.example', incoming: 'none' })
  assert.equal(mailbox.status, 201, JSON.stringify(mailbox.body))
  const loop = { name: 'Loop', email: 'help@acme.example', role: 'admin' as const }
  await createOperator(server.db, server.acme.id, loop)
  standIn.world.bots.delete(bot.token)
  receiveUpdates(t, server)
  await until(async () => (await findState(id)).state === 'broken')
  await checkReport({ report, age, setAway })
  assert.deepEqual(
    inbox.mails.map(({ to }) => to),
    [[olga.email]],
  )
  const { text } = inbox.mails[0]!
  assert.ok(text.includes(`@${bot.user.username}`))
  assert.match(text, /Copy it again from\s+@BotFather/)
  assert.ok(text.includes(`https://desk.example.com/p/${server.acme.id}/settings/telegram-bots/${id}`))
  await age(1_000)
  assert.equal(await report(), 0)
  standIn.world.bots.set(bot.token, bot)
  assert.equal((await olga.api.post(`/telegram-bots/${id}/resume`)).status, 200)
  await until(async () => (await findState(id)).state === 'active')
  assert.equal((await findState(id)).report_at, null)
  standIn.world.bots.delete(bot.token)
  await until(async () => {
    // A call that has begun would otherwise wait 50 seconds for an update.
    bot.poller?.end(null)
    return (await findState(id)).state === 'broken'
  })
  await age(16)
  assert.equal(await report(), 1, 'a new outage is reported again')
})

test('bots that work, are paused, or have failed for a short time are not reported', async t => {
  inbox.mails.length = 0
  await server.db`delete from telegram_bots`
  const standIn = await openStandIn(t)
  const working = await addOwnBot(server, standIn, standIn.addBot())
  const failing = await insertBot(server, server.rival, 'rival_bot')
  receiveUpdates(t, server)
  await until(async () => (await findState(failing)).report_at !== null)
  await age(14)
  assert.equal(await report(), 0)
  assert.equal((await findState(working.id)).report_at, null)
  await server.db`
    update telegram_bots set state = 'paused', report_at = now() - interval '1 hour' where id = ${failing}`
  assert.equal(await report(), 0)
  await server.db`update telegram_bots set state = 'active' where id = ${failing}`
  assert.equal(await report(), 1)
  assert.deepEqual(
    inbox.mails.filter(({ to }) => to.includes(olga.email)),
    [],
    'admins of other projects are not emailed',
  )
})

test('without a mail server, nothing is claimed', async () => {
  await server.db`update telegram_bots set report_at = now() - interval '1 hour'`
  assert.equal(await reportBotOutage(server.db, null), 0)
})
