import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { deliverByLmtp, startDovecot } from '../../../../test/dovecot.ts'
import { deliver, listAutomatic, openAnswering } from '../../../../test/mail/automatic.ts'
import { openMailbox, type Receiving, receive, startReceiving } from '../../../../test/mail/receiving.ts'
import { sendThrough } from '../../../../test/mail/sending.ts'
import { type WrittenMail, writeMail } from '../../../../test/mail/write-mail.ts'
import { fetchMails, listMails, makeMail, makeMailbox } from '../../../../test/mail.ts'
import { needs } from '../../../../test/needs.ts'
import { joinProject } from '../../../../test/operator.ts'
import { until } from '../../../../test/until.ts'

/** Emails that get no acknowledgement. Nothing is sent here, so acknowledgements stay pending. */

let receiving: Receiving
let address: string
before(async () => {
  receiving = await startReceiving()
  ;({ address } = await openAnswering(receiving, { port: 1 }, { authserv_ids: ['mx.example.com'] }))
})
after(() => receiving.close())

let count = 0
const newAddress = () => `someone${++count}@place${count}.example`

/** Delivers an email, and returns how many automatic emails its ticket has. */
async function countAcknowledgements(mail: Partial<WrittenMail>, to = address): Promise<number> {
  const { ticketId } = await deliver(receiving, to, { from: newAddress(), ...mail })
  assert.ok(ticketId)
  return (await listAutomatic(receiving, ticketId)).length
}

test('an email from a person gets one acknowledgement, and a later email in the same ticket gets none', async () => {
  const from = newAddress()
  const first = await deliver(receiving, address, { from })
  assert.equal((await listAutomatic(receiving, first.ticketId)).length, 1)
  const second = await deliver(receiving, address, { from, answers: first.id })
  assert.equal(second.ticketId, first.ticketId)
  assert.equal((await listAutomatic(receiving, first.ticketId)).length, 1)
})

for (const header of [
  'Auto-Submitted: auto-generated',
  'Auto-Submitted: auto-replied',
  'X-Autoreply: yes',
  'X-Auto-Response-Suppress: All',
  'X-Auto-Response-Suppress: DR, AutoReply',
  'Precedence: bulk',
  'List-Id: <news.example.org>',
  'X-Spam-Flag: YES',
])
  test(`an email with ${header} gets no acknowledgement`, async () => {
    assert.equal(await countAcknowledgements({ headers: [header] }), 0)
  })

test('an email that failed the DMARC check gets no acknowledgement', async () => {
  const verdict = (result: string) => [
    `Authentication-Results: mx.example.com; dmarc=${result} header.from=forged.example`,
  ]
  assert.equal(await countAcknowledgements({ from: 'ann@forged.example', headers: verdict('fail') }), 0)
  assert.equal(await countAcknowledgements({ from: 'ann@forged.example', headers: verdict('pass') }), 1)
})

test('X-Auto-Response-Suppress without AutoReply or All, and Auto-Submitted: no, do not prevent an acknowledgement', async () => {
  assert.equal(
    await countAcknowledgements({ headers: ['X-Auto-Response-Suppress: DR', 'Auto-Submitted: no'] }),
    1,
  )
})

test('an email with an empty envelope sender gets no acknowledgement', async () => {
  const { id, raw } = writeMail({ from: newAddress(), to: address })
  await deliverByLmtp(receiving.port, address, raw, '')
  const [row] = await until(async () => {
    const rows = await receiving.server.db`
      select ticket_id from incoming_mails where header_id = ${id} and ticket_id is not null`
    return rows.length > 0 && rows
  })
  assert.deepEqual(await listAutomatic(receiving, row!.ticket_id), [])
})

test('no-reply addresses and operators get no acknowledgement', async () => {
  const { server } = receiving
  assert.equal(await countAcknowledgements({ from: 'no-reply@shop.example' }), 0)
  const olga = await joinProject(server, server.acme)
  assert.equal(await countAcknowledgements({ from: olga.email }), 0)
})

test('mailboxes of this and other projects get no acknowledgement, not even at their aliases or plus addresses', async () => {
  const { server } = receiving
  await openMailbox(receiving, 'sales@acme.example', { aliases: ['shop@acme.example'] })
  await openMailbox(receiving, 'help@rival.example', {}, server.rival)
  for (const from of [
    'sales@acme.example',
    'Shop@acme.example',
    'help@rival.example',
    'help+r.1@rival.example',
  ])
    assert.equal(await countAcknowledgements({ from }), 0, from)
})

test('blocked senders and blocked contacts get no acknowledgement and no ticket', async () => {
  const { server } = receiving
  await server.api.post('/sender-rules', { pattern: 'blocked.example', verdict: 'blocked' })
  const { body } = await server.api.post('/contacts', { email: 'eve@contact.example' })
  await server.api.patch(`/contacts/${body.id}`, { is_blocked: true })
  const before = await server.db`select from automatic_emails`
  for (const from of ['ann@blocked.example', 'eve@contact.example'])
    assert.equal((await deliver(receiving, address, { from })).ticketId, null)
  assert.equal((await server.db`select from automatic_emails`).length, before.length)
})

test('an email that newAddress made a ticket or had read again gets no acknowledgement', async () => {
  const { server } = receiving
  const from = newAddress()
  await server.api.post('/sender-rules', { pattern: from, verdict: 'blocked' })
  for (const action of ['ticket', 'reparse']) {
    const { raw } = writeMail({ from, to: address })
    const { id } = await receive(receiving, address, raw)
    if (action === 'reparse') await server.db`delete from sender_rules`
    const answer = await server.api.post(`/mail-log/${id}/${action}`, {})
    assert.ok(answer.status < 300, answer.text)
    const ticketId = await until(async () => (await server.api.get(`/mail-log/${id}`)).body.ticket_id)
    assert.deepEqual(await listAutomatic(receiving, ticketId), [], action)
  }
})

test('a mailbox that does not send acknowledges nothing', async () => {
  const { db } = receiving.server
  const other = await openAnswering(receiving, { port: 1 })
  await db`update mailboxes set sending = 'none' where id = ${other.id}`
  assert.equal(await countAcknowledgements({}, other.address), 0)
  await db`update mailboxes set sending = 'smtp' where id = ${other.id}`
  assert.equal(await countAcknowledgements({}, other.address), 1)
})

test('imported emails get no acknowledgement, but later ones do', needs('dovecot'), async t => {
  const { server } = receiving
  const dovecot = await startDovecot(t, { users: { older: 'secret' } })
  for (const subject of ['First', 'Second']) await dovecot.deliver('older@example.com', makeMail(subject))
  const settings = { user: 'older', start_from: 'all' as const, sends_acknowledgement: true }
  const mailbox = await makeMailbox(server, dovecot, settings)
  await sendThrough(server, mailbox.id, { port: 1 })
  fetchMails(t, server)
  const handled = (total: number) =>
    until(async () => {
      const mails = (await listMails(server, server.acme)).filter(one => one.mailbox_id === mailbox.id)
      return mails.filter(one => one.state === 'done').length === total && mails
    })
  assert.deepEqual(
    (await handled(2)).map(({ source }) => source),
    ['import', 'import'],
  )
  const count = async () =>
    (await server.db`select from automatic_emails where address = 'ann@example.com'`).length
  assert.equal(await count(), 0)
  await dovecot.deliver('older@example.com', makeMail('Third'))
  await handled(3)
  assert.equal(await count(), 1)
})
