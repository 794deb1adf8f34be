import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeMessage } from '../../../../test/cast.ts'
import { makeChannelWithMessage } from '../../../../test/custom-channel.ts'
import { startMailbox } from '../../../../test/mailbox.ts'
import { joinCast, type Person } from '../../../../test/operator.ts'
import { checkReport } from '../../../../test/outage-reports.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { createMailer } from '../../../core/mail/mail.ts'
import { reportChannelOutage } from './report-outage.ts'

/** A project's admins get an email about channels whose replies are not sent. */

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
const report = () => reportChannelOutage(server.db, { mailer, publicUrl: 'https://desk.example.com/' })
async function age(minutes: number): Promise<void> {
  await server.db`update outgoing_queue set created_at = created_at - ${minutes}::int * interval '1 minute'`
  await server.db`
    update custom_channels set report_at = report_at - ${minutes}::int * interval '1 minute' where report_at <> 'infinity'`
}

test('each admin gets one email per outage when replies in a channel wait for 15 minutes', async () => {
  const { channel_id, ticket_id } = await makeChannelWithMessage(server.db, server.acme, server.api)
  const { id } = await makeMessage(server.api, ticket_id)
  await checkReport({ report, age, setAway })
  assert.deepEqual(
    inbox.mails.map(({ to }) => to),
    [[olga.email]],
  )
  const { text } = inbox.mails[0]!
  assert.match(text, /Replies in the channel Signal have been waiting/)
  assert.match(text, new RegExp(`settings/channels/${channel_id}`))
  await age(60)
  assert.equal(await report(), 0, 'the same outage')
  await server.api.post(`/channels/${channel_id}/deliveries`, { message_id: id, status: 'sent' })
  assert.equal(await report(), 0)
  await makeMessage(server.api, ticket_id)
  await age(16)
  assert.equal(await report(), 1, 'another outage')
})
