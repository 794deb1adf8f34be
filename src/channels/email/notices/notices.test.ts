import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { makeTicket } from '../../../../test/cast.ts'
import { openFileContext } from '../../../../test/file-context.ts'
import { chooseEmails, type Notices, startNotices } from '../../../../test/mail/notices.ts'
import { makeListeningMailbox } from '../../../../test/mail.ts'
import { joinCast, joinProject, type Person } from '../../../../test/operator.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { ask, begin, reply, switchOn } from '../../../../test/widget.ts'
import { sendDueMessages } from '../../../tickets/tickets.ts'

/** When operators get emails about tickets. */

let server: TestServer
let notices: Notices
let olga: Person
let omar: Person
const context = openFileContext()

before(async () => {
  server = await startServer({ delivers: false, config: { visitorsPerIp: 1e6 } })
  context.after(() => server.close())
  ;({ olga, omar } = await joinCast(server))
  notices = await startNotices(server, context)
  await switchOn(server, server.acme)
})

const assign = (by: Person, ticketId: string, { id }: Pick<Person, 'id'>) =>
  by.api.patch(`/tickets/${ticketId}`, { operator_id: id })

/** A visitor's ticket that Olga has assigned to Omar. */
async function openAssigned() {
  const guest = await begin(server)
  const ticket = await ask(guest, { content: 'My lamp is dark.' })
  await assign(olga, ticket.id, omar)
  return {
    id: ticket.id as string,
    say: (content: string) => guest.api.post(`/tickets/${ticket.id}/messages`, { content }),
  }
}

/** The same, after Omar was emailed about the assignment. */
async function openEmailed() {
  const ticket = await openAssigned()
  await notices.sendOne()
  return ticket
}

test('an operator gets an email with the newest message when someone else assigns them a ticket', async () => {
  const ticket = await makeTicket(server.api, { subject: 'Dark lamp', content: 'It went out.' })
  await assign(olga, ticket.id, omar)
  assert.deepEqual(await notices.send(), [], 'nothing is sent in the first minute')
  const mail = await notices.sendOne()
  assert.deepEqual(mail.to, [omar.email])
  assert.equal(mail.subject, `Assigned to you: Dark lamp (#${ticket.short_id})`)
  assert.match(mail.text, /^From: Acme <desk@example\.com>/m)
  assert.match(mail.text, /^Auto-Submitted: auto-generated/m)
  assert.match(mail.text, /It went out\./)
  assert.ok(mail.text.includes(`/p/${server.acme.id}/inbox/open/${ticket.short_id}`))
  assert.match(mail.text, /Open the ticket to reply/)
  assert.equal(mail.replyTo, null)
  assert.deepEqual(await notices.sendAll(), [])
})

test('operators get no email about their own actions', async () => {
  const ticket = await makeTicket(server.api)
  await omar.api.post(`/tickets/${ticket.id}/take`)
  await reply(omar, ticket.id, 'A note', { is_internal: true, mentions: [omar.id] })
  assert.deepEqual(await notices.sendAll(), [])
})

test('all events in a ticket within a minute become one email', async () => {
  const { say } = await openAssigned()
  await say('Are you there?')
  await say('Hello?')
  const { text, subject } = await notices.sendOne()
  assert.match(subject, /^Assigned to you: /)
  for (const words of ['Are you there?', 'Hello?']) assert.ok(text.includes(words), words)
})

test('an operator gets an email about a message in their ticket, but not after reading it', async () => {
  const ticket = await openEmailed()
  await ticket.say('Still dark.')
  const { subject, text } = await notices.sendOne()
  assert.match(subject, /^A customer is waiting for a reply: /)
  assert.match(text, /Still dark\./)
  await ticket.say('And cold.')
  await omar.api.post(`/tickets/${ticket.id}/read`)
  assert.deepEqual(await notices.sendAll(), [])
})

test('an operator who has the ticket open gets no email about its assignment', async () => {
  const ticket = await openAssigned()
  const row = { project_id: server.acme.id, operator_id: omar.id, ticket_id: ticket.id }
  await server.db`
    insert into open_tabs ${server.db({ ...row, tab: ticket.id, stream: ticket.id } as never)}`
  assert.deepEqual(await notices.sendAll(), [])
  await server.db`delete from open_tabs where operator_id = ${omar.id}`
})

test('no email is sent if the ticket has been closed or assigned to someone else in the meantime', async () => {
  const [given, closed] = [await openEmailed(), await openEmailed()]
  await given.say('Hello?')
  await closed.say('Hello?')
  await assign(olga, given.id, olga)
  await olga.api.post(`/tickets/${closed.id}/close`)
  assert.deepEqual(await notices.sendAll(), [])
})

test('an operator is notified of a mention when the note becomes visible, also if it was scheduled', async () => {
  const ticket = await makeTicket(server.api, { subject: 'Cold lamp' })
  const note = { is_internal: true, mentions: [omar.id] }
  const at = new Date(Date.now() + 3_600_000).toISOString()
  const { id } = await reply(olga, ticket.id, 'Please look at this tomorrow.', { ...note, send_at: at })
  assert.deepEqual(await notices.sendAll(), [])
  await server.db`update messages set send_at = now() where id = ${id}`
  await sendDueMessages(server.db, server.acme.id)
  const mail = await notices.sendOne()
  assert.equal(mail.subject, `Olga mentioned you: Cold lamp (#${ticket.short_id})`)
  assert.match(mail.text, /Please look at this tomorrow\./)
})

test('each kind of email can be turned off', async () => {
  await chooseEmails(omar, { assigned: false, mentioned: false, waiting: false })
  const ticket = await openAssigned()
  await ticket.say('Hello?')
  await reply(olga, ticket.id, 'Look', { is_internal: true, mentions: [omar.id] })
  assert.deepEqual(await notices.sendAll(), [])
  await chooseEmails(omar, { assigned: false, mentioned: false, waiting: true })
  await ticket.say('Hello again?')
  assert.match((await notices.sendOne()).subject, /is waiting/)
  await omar.own.patch('/me', { settings: { notifications: {} } })
  const wrong = await omar.own.patch('/me', { settings: { notifications: { waiting_by_email: 'no' } } })
  assert.equal(wrong.status, 422)
})

test('operators who have left or have no account yet get no email', async () => {
  const pia = await joinProject(server, server.acme, { name: 'Pia' })
  const { body } = await olga.api.post('/operators', { name: 'Quin', email: 'quin@example.com' })
  const tickets = [await makeTicket(server.api), await makeTicket(server.api)]
  await assign(olga, tickets[0]!.id, pia)
  await assign(olga, tickets[1]!.id, body.operator)
  await olga.api.delete(`/operators/${pia.id}`)
  assert.deepEqual(await notices.sendAll(), [])
})

test('no email is sent to the address of a mailbox, because it would become a ticket', async () => {
  for (const [at, email] of ['loop@rival.example', 'loop+me@rival.example'].entries()) {
    const pia = await joinProject(server, server.acme, { name: 'Pia', email })
    if (at === 0) await makeListeningMailbox(server, 'loop@rival.example', server.rival)
    await assign(olga, (await makeTicket(server.api)).id, pia)
  }
  assert.deepEqual(await notices.sendAll(), [])
})

test('if the process dies, the email is sent again with the same Message-ID, and later events become another email', async () => {
  const ticket = await openEmailed()
  await ticket.say('First.')
  await notices.wait()
  notices.state.isAway = true
  assert.deepEqual(await notices.send(), [])
  const [claimed] = await server.db`
    select email_id, due_at > now() as is_leased from operator_notices where ticket_id = ${ticket.id}`
  assert.equal(claimed!.is_leased, true)
  await ticket.say('Second.')
  notices.state.isAway = false
  const mails = await notices.sendAll()
  assert.equal(mails.length, 2)
  const again = mails.find(({ text }) => text.includes('First.'))!
  assert.equal(again.messageId, `notice.${claimed!.email_id}@example.com`)
  assert.equal(again.text.includes('Second.'), false)
})

test('several processes together send each email once', async () => {
  const tickets = await Promise.all(Array.from({ length: 6 }, openAssigned))
  for (const { say } of tickets) await say('Hello?')
  await notices.wait()
  const before = notices.inbox.mails.length
  await Promise.all(Array.from({ length: 4 }, () => notices.send()))
  assert.equal(notices.inbox.mails.length - before, 6)
  assert.equal((await server.db`select from operator_notices`).length, 0)
})

test('the work is due after a minute, and only in this project', async () => {
  await server.db`delete from due_work where kind = 'notices'`
  const [start] = await server.db<{ at: string }[]>`select now()::text as at`
  await openAssigned()
  const rows = await server.db`
    select project_id, due_at > ${start!.at}::timestamptz + interval '50 seconds'
      and due_at < now() + interval '70 seconds' as is_in_a_minute
    from due_work where kind = 'notices'`
  assert.deepEqual([...rows], [{ project_id: server.acme.id, is_in_a_minute: true }])
  assert.deepEqual(await notices.sendAll(server.rival), [])
  await notices.sendOne()
})
