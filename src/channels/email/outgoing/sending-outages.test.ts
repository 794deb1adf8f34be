import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { openFileContext } from '../../../../test/file-context.ts'
import {
  openSender,
  postEmail,
  quickTimes,
  sendMails,
  waitForDelivery,
} from '../../../../test/mail/sending.ts'
import { reply, startSink } from '../../../../test/mail/sink.ts'
import { startMailbox } from '../../../../test/mailbox.ts'
import { joinCast, type Person } from '../../../../test/operator.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { until } from '../../../../test/until.ts'
import { createMailer } from '../../../core/mail/mail.ts'
import { createOperator } from '../../../operators/operators.ts'
import { reportOutage } from '../mailboxes/outages.ts'

/** Mailboxes that cannot send are shown to the team and reported to its admins. */

let server: TestServer
let olga: Person
let omar: Person
let rita: Person
const context = openFileContext()
const inbox = await startMailbox()
context.after(() => inbox.close())

before(async () => {
  server = await startServer({ delivers: false })
  context.after(() => server.close())
  ;({ olga, omar, rita } = await joinCast(server))
})

const mailer = createMailer({ smtpUrl: inbox.url, mailFrom: 'Deskbell <desk@example.com>' })!
const report = () => reportOutage(server.db, { mailer, publicUrl: 'https://desk.example.com/' })
const problemsOf = async (person: Person) =>
  (await person.api.get('/mailboxes/outages')).body.items.map(
    ({ address, problem }: Record<string, string>) => `${address} ${problem}`,
  )
const age = (minutes: number) => server.db`
  update mailboxes set send_failing_since = send_failing_since - ${minutes}::int * interval '1 minute',
    send_report_at = send_report_at - ${minutes}::int * interval '1 minute' where project_id = ${server.acme.id}`

test('a mailbox that has not been able to send for 15 minutes is shown to the team and reported once to each admin', async t => {
  const sink = await startSink(t, { onMail: () => reply(530, 'Authentication required') })
  const sender = await openSender(server, sink)
  // An email to this admin would become a ticket.
  await createOperator(server.db, server.acme.id, { name: 'Loop', email: sender.address, role: 'admin' })
  const sending = sendMails(t, server)
  const message = await postEmail(server, sender)
  const [failed] = await until(async () => {
    const rows =
      await server.db`select send_error from mailboxes where id = ${sender.id} and send_failures > 0`
    return rows.length > 0 && rows
  })
  assert.equal(failed!.send_error.code, 'needs_login')
  await sending.stop()
  assert.equal(await report(), 0)
  await age(16)
  assert.deepEqual(await problemsOf(omar), [`${sender.address} sending`])
  assert.deepEqual(await problemsOf(rita), [])
  const attempts = sink.state.connections
  assert.equal(await report(), 1)
  assert.deepEqual(
    inbox.mails.map(({ to }) => to),
    [[olga.email]],
  )
  const { text } = inbox.mails[0]!
  assert.ok(text.includes(`Replies from ${sender.address} aren`))
  assert.match(text, /127\.0\.0\.1 sends email only after a login/)
  assert.ok(text.includes(`https://desk.example.com/p/${server.acme.id}/settings/mailboxes/${sender.id}`))
  assert.equal(sink.state.connections, attempts, 'nothing goes through the mailbox itself')
  await age(1_000)
  assert.equal(await report(), 0)
  sink.state.script = {}
  await server.db`update mailboxes set send_backoff_until = null where id = ${sender.id}`
  sendMails(t, server)
  await waitForDelivery(server, message)
  const [working] = await until(async () => {
    const rows = await server.db`
      select send_failing_since, send_report_at from mailboxes where id = ${sender.id} and send_error is null`
    return rows.length > 0 && rows
  })
  assert.deepEqual({ ...working }, { send_failing_since: null, send_report_at: null })
  assert.deepEqual(await problemsOf(olga), [])
})

test('a server that cannot be reached is reported only while an email is waiting', async t => {
  const sender = await openSender(server, { port: 1 })
  const sending = sendMails(t, server, { ...quickTimes, pauses: [3_600_000] })
  const message = await postEmail(server, sender)
  await until(
    async () =>
      (await server.db`select from mailboxes where id = ${sender.id} and send_failures > 0`).length > 0,
  )
  await sending.stop()
  assert.deepEqual(await problemsOf(olga), [])
  await age(16)
  assert.deepEqual(await problemsOf(olga), [`${sender.address} sending`])
  await server.db`delete from outgoing_queue where message_id = ${message}`
  assert.deepEqual(await problemsOf(olga), [])
  assert.equal(await report(), 0)
})
