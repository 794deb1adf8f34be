import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Dovecot, startDovecot } from '../../../../test/dovecot.ts'
import { openFileContext } from '../../../../test/file-context.ts'
import { fetchMails, findMailbox, makeMailbox } from '../../../../test/mail.ts'
import { startMailbox } from '../../../../test/mailbox.ts'
import { needs } from '../../../../test/needs.ts'
import { joinCast, type Person } from '../../../../test/operator.ts'
import { checkReport } from '../../../../test/outage-reports.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { until } from '../../../../test/until.ts'
import { createMailer } from '../../../core/mail/mail.ts'
import { createOperator } from '../../../operators/operators.ts'
import { changeMailbox } from './mailboxes.ts'
import { reportOutage } from './outages.ts'

/** Mailboxes that receive nothing are shown to the team and reported to its admins. */

const installed = needs('dovecot')

let server: TestServer
let dovecot: Dovecot
let olga: Person
let omar: Person
let rita: Person
let isAway = false
const context = openFileContext()
const inbox = await startMailbox(() => isAway)
context.after(() => inbox.close())

before(async () => {
  if (installed.skip) return
  server = await startServer({ delivers: false })
  context.after(() => server.close())
  ;({ olga, omar, rita } = await joinCast(server))
  dovecot = await startDovecot(context, { users: { support: 'right' } })
})

const mailer = createMailer({ smtpUrl: inbox.url, mailFrom: 'Deskbell <desk@example.com>' })!
const setAway = (value: boolean) => {
  isAway = value
}
const report = () => reportOutage(server.db, { mailer, publicUrl: 'https://desk.example.com/' })
const outagesOf = async (person: Person) => (await person.api.get('/mailboxes/outages')).body.items
const age = (minutes: number) => server.db`
  update mailboxes set failing_since = failing_since - ${minutes}::int * interval '1 minute',
    report_at = report_at - ${minutes}::int * interval '1 minute' where project_id = ${server.acme.id}`

test(
  'a mailbox that fails for 15 minutes is shown to the team and reported once to each admin',
  installed,
  async t => {
    const mailbox = await makeMailbox(server, dovecot, { user: 'support', password: 'mistyped' })
    // An email to this admin would become a ticket.
    await createOperator(server.db, server.acme.id, { name: 'Loop', email: mailbox.address, role: 'admin' })
    assert.deepEqual(await outagesOf(omar), [])
    fetchMails(t, server)
    await until(async () => (await findMailbox(server, mailbox)).state === 'broken')
    const [shown] = await outagesOf(omar)
    assert.deepEqual([shown.mailbox_id, shown.address], [mailbox.id, mailbox.address])
    assert.deepEqual(await outagesOf(rita), [])
    await checkReport({ report, age, setAway })
    assert.deepEqual(
      inbox.mails.map(({ to }) => to),
      [[olga.email]],
    )
    const { text } = inbox.mails[0]!
    assert.match(text, /127\.0\.0\.1 rejected the login for support/)
    assert.ok(text.includes(`https://desk.example.com/p/${server.acme.id}/settings/mailboxes/${mailbox.id}`))
    await age(1_000)
    assert.equal(await report(), 0)
    const caller = { project: server.acme, actor: { type: 'cli' as const } }
    await changeMailbox(server, server.db, caller, mailbox.id, { imap: { password: 'right' } }, null)
    assert.deepEqual(await outagesOf(olga), [])
    await until(async () => (await findMailbox(server, mailbox)).last_ok_at)
    assert.deepEqual(await outagesOf(olga), [])
  },
)
