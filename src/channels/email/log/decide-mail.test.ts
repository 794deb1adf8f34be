import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertEnvelope } from '../../../../test/client.ts'
import { receive, startSupport } from '../../../../test/mail/receiving.ts'
import { makeMail } from '../../../../test/mail.ts'
import { joinProject } from '../../../../test/operator.ts'
import { until } from '../../../../test/until.ts'

/** People decide what happens to received emails. */

const support = 'support@example.com'
const { receiving, get } = await startSupport(support)

const handled = (id: string) =>
  until(async () => {
    const entry = await get(`/mail-log/${id}`)
    return entry.state !== 'stored' && entry
  })

/** An email that only is logged, because its sender is the mailbox. */
const receiveLoop = (subject: string) =>
  receive(receiving, support, makeMail(subject).replace('Ann <ann@', 'Ann <support@'))

/** An email that only is logged, because its sender is blocked. */
async function receiveBlocked(subject: string): Promise<string> {
  const { server } = receiving
  const mail = makeMail(subject).replace('Ann <ann@', 'Bob <bob@')
  const contact = await server.api.post('/contacts', { email: 'bob@example.com' })
  await server.api.patch(`/contacts/${contact.body.id}`, { is_blocked: true })
  const { id, outcome } = await receive(receiving, support, mail)
  assert.equal(outcome, 'contact_blocked')
  return id
}

test('a logged email becomes a ticket of its sender, and the message says who decided it', async () => {
  const { server } = receiving
  const { id, outcome } = await receiveLoop('From ourselves')
  assert.equal(outcome, 'loop')
  const omar = await joinProject(server, server.acme, { name: 'Omar' })
  const answer = await omar.api.post(`/mail-log/${id}/ticket`)
  assert.equal(answer.status, 202, answer.text)
  const entry = await handled(id)
  assert.partialDeepStrictEqual(entry, { state: 'done', outcome: 'new', evidence: 'made_by_hand: Omar' })
  const message = await get(`/messages/${entry.message_id}`)
  assert.partialDeepStrictEqual(message, { sender_type: 'contact', content: 'How are you?' })
  const [audited] = await server.db`select action, author_name from audit_entries where target_id = ${id}`
  assert.deepEqual({ ...audited }, { action: 'mail.made_ticket', author_name: 'Omar' })
})

test('simultaneous requests make one ticket, and a later one shows it', async () => {
  const { api } = receiving.server
  const id = await receiveBlocked('Made once')
  const answers = await Promise.all([1, 2, 3].map(() => api.post(`/mail-log/${id}/ticket`)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [202, 202, 202],
  )
  const { ticket_id } = await handled(id)
  const again = await api.post(`/mail-log/${id}/ticket`)
  assert.deepEqual([again.status, again.body.state, again.body.ticket_id], [202, 'done', ticket_id])
  const { items } = await get('/tickets?q=made%20once')
  assert.equal(items.length, 1)
})

test('a logged email becomes a message of the chosen ticket, even if it was closed long ago', async () => {
  const { api, db, acme } = receiving.server
  const { ticket_id } = await receive(receiving, support, makeMail('Closed'))
  await api.post(`/tickets/${ticket_id}/close`)
  await db`update tickets set closed_at = now() - interval '1 year' where project_id = ${acme.id} and id = ${ticket_id}`
  const { id } = await receiveLoop('Belongs to it')
  const { short_id } = await get(`/tickets/${ticket_id}`)
  assert.equal((await api.post(`/mail-log/${id}/move`, { ticket_id: short_id })).status, 202)
  assert.partialDeepStrictEqual(await handled(id), { outcome: 'by_hand', ticket_id })
  assert.equal((await get(`/tickets/${ticket_id}`)).status, 'open')
  assert.equal((await api.post(`/mail-log/${id}/move`, { ticket_id })).body.ticket_id, ticket_id)
})

test('an email is handled again with the rules of today', async () => {
  const { api } = receiving.server
  const id = await receiveBlocked('Read again')
  const contact = await api.post('/contacts', { email: 'bob@example.com' })
  await api.patch(`/contacts/${contact.body.id}`, { is_blocked: false })
  assert.equal((await api.post(`/mail-log/${id}/reparse`)).status, 202)
  const entry = await handled(id)
  assert.equal(entry.outcome, 'new')
  assert.equal((await get(`/messages/${entry.message_id}`)).sender_name, 'Bob')
})

test('an email is tried as often as a new one after it failed', async () => {
  const { api, db, acme } = receiving.server
  const { id } = await receiveLoop('Failed before')
  await db`update incoming_mails set attempts = 5, state = 'failed' where project_id = ${acme.id} and id = ${id}`
  await api.post(`/mail-log/${id}/ticket`)
  assert.partialDeepStrictEqual(await handled(id), { state: 'done', attempts: 6 })
})

test('an email whose original is no longer stored cannot be handled again', async () => {
  const { api, db, acme } = receiving.server
  const { id } = await receiveLoop('Gone')
  await db`update incoming_mails set storage_key = '' where project_id = ${acme.id} and id = ${id}`
  const answer = await api.post(`/mail-log/${id}/reparse`)
  assertEnvelope(answer, 422, 'VALIDATION_ERROR', { field: 'mail_id', reason: 'not_stored' })
})

test('the email of a deleted message is not handled again', async () => {
  const { api, db, acme } = receiving.server
  const mail = await receive(receiving, support, makeMail('Deleted'))
  await db`delete from messages where project_id = ${acme.id} and id = ${mail.message_id}`
  for (const [action, body] of [['reparse'], ['ticket'], ['move', { ticket_id: mail.ticket_id }]] as const) {
    const answer = await api.post(`/mail-log/${mail.id}/${action}`, body)
    assertEnvelope(answer, 422, 'VALIDATION_ERROR', { field: 'mail_id', reason: 'message_deleted' })
  }
})

test('a message that cannot be read again does not change, and its entry shows the error', async () => {
  const { api, db, acme } = receiving.server
  const mail = await receive(receiving, support, makeMail('Unreadable'))
  const before = await get(`/messages/${mail.message_id}`)
  await db`update incoming_mails set storage_key = 'missing' where project_id = ${acme.id} and id = ${mail.id}`
  await api.post(`/mail-log/${mail.id}/reparse`)
  await until(async () => (await get(`/mail-log/${mail.id}`)).last_error)
  await db`
    update incoming_mails set attempts = attempts + 4, due_at = now() where project_id = ${acme.id} and id = ${mail.id}`
  const { state, outcome, last_error, changes } = await handled(mail.id)
  assert.deepEqual([state, outcome, changes], ['done', 'new', null])
  assert.ok(last_error)
  assert.deepEqual(await get(`/messages/${mail.message_id}`), before)
})

test('only admins have emails handled again, and another project finds none', async () => {
  const { server } = receiving
  const { id } = await receiveLoop('Not for everyone')
  const omar = await joinProject(server, server.acme, { name: 'Olga' })
  assert.equal((await omar.api.post(`/mail-log/${id}/reparse`)).status, 403)
  const mail = await receive(receiving, support, makeMail('A message of Acme'))
  for (const action of ['reparse', 'ticket'])
    for (const one of [id, mail.id])
      assert.equal((await server.outsider.post(`/mail-log/${one}/${action}`)).status, 404)
  assert.partialDeepStrictEqual(await get(`/mail-log/${id}`), { state: 'done', attempts: 1 })
  assert.partialDeepStrictEqual(await get(`/mail-log/${mail.id}`), { state: 'done', attempts: 1 })
})

test('an email without From becomes a ticket of its envelope sender', async () => {
  const { id, outcome } = await receive(receiving, support, 'Subject: Nobody\r\n\r\nHello')
  assert.equal(outcome, 'no_sender')
  assert.equal((await receiving.server.api.post(`/mail-log/${id}/ticket`)).status, 202)
  const { ticket_id } = await handled(id)
  const { contact } = await get(`/tickets/${ticket_id}`)
  assert.match(contact.email, /@/)
})

test('an email that names no sender at all cannot become a message, and can be read again', async () => {
  const { server } = receiving
  const { id } = await receive(receiving, support, 'Subject: Nobody at all\r\n\r\nHello')
  await server.db`update incoming_mails set envelope_from = '' where id = ${id}`
  const { status, body } = await server.api.post(`/mail-log/${id}/ticket`)
  assert.deepEqual([status, body.detail], [422, { field: 'mail_id', reason: 'no_sender' }])
  assert.equal((await server.api.post(`/mail-log/${id}/reparse`)).status, 202)
  assert.equal((await handled(id)).outcome, 'no_sender')
})
