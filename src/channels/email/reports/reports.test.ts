import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { makeMessage, unique } from '../../../../test/cast.ts'
import { openFileContext } from '../../../../test/file-context.ts'
import { writeComplaint, writeDsn, writeReceipt } from '../../../../test/mail/delivery-reports.ts'
import { listRecipientsOf } from '../../../../test/mail/pretend-sent.ts'
import { openMailbox, receive, startSupport } from '../../../../test/mail/receiving.ts'
import { sendMails, sendThrough, waitForDelivery } from '../../../../test/mail/sending.ts'
import { startSink } from '../../../../test/mail/sink.ts'
import { makeMail } from '../../../../test/mail.ts'
import { joinProject, type Person } from '../../../../test/operator.ts'
import { makeAnchor, makeMessageId, makeReturnPath } from '../../../mail/tokens.ts'

/** What comes back about a sent email: failures, delays, confirmed deliveries, receipts and complaints. */

const support = 'support@desk.example.com'
const context = openFileContext()
const { receiving, get } = await startSupport(support)
const { server } = receiving
const { api, acme, rival } = server
const key = server.vault.derive('mail')
let omar: Person

before(async () => {
  omar = await joinProject(server, acme, { name: 'Omar' })
  await openMailbox(receiving, 'help@rival.example', {}, rival)
  const [row] = await server.db<{ id: string }[]>`select id from mailboxes where address = ${support}`
  await sendThrough(server, row!.id, await startSink(context))
  sendMails(context, server)
})

/** A ticket that Omar has answered by email. */
async function send(others: string[] = []) {
  const ann = `ann.${unique()}@example.com`
  const mail = makeMail(`Lamp ${unique()}`, 'It is broken.').replace(/^From: .*$/m, `From: Ann <${ann}>`)
  const { ticket_id: ticketId } = await receive(receiving, support, mail)
  await omar.api.post(`/tickets/${ticketId}/take`, {})
  const { id } = await makeMessage(api, ticketId!, { email: { to: [ann, ...others] } })
  await waitForDelivery(server, id)
  await omar.api.post(`/tickets/${ticketId}/read`)
  return { id, ann, ticketId: ticketId!, messageId: makeMessageId(key, id, 'desk.example.com') }
}

type Sent = Awaited<ReturnType<typeof send>>

const returnedOf = ({ messageId }: Pick<Sent, 'messageId'>) => `Message-ID: <${messageId}>\nSubject: Re: Lamp`
const bounce = (sent: Sent, ...recipients: Parameters<typeof writeDsn>[1]) =>
  receive(receiving, support, writeDsn({ to: support, returned: returnedOf(sent) }, recipients))

const deliveryOf = async ({ id }: Pick<Sent, 'id'>) => {
  const { status, error } = (await get(`/messages/${id}`)).delivery
  return [status, error]
}
const statusesOf = async ({ id }: Pick<Sent, 'id'>) =>
  (await listRecipientsOf(server, id)).map(({ status }) => status)

/** The system messages about deliveries in the ticket. */
async function notesOf({ ticketId }: Pick<Sent, 'ticketId'>) {
  const { items } = await get(`/tickets/${ticketId}/messages`)
  return items
    .filter((one: { system: { kind: string } | null }) => /^delivery_|^spam_/.test(one.system?.kind ?? ''))
    .map(({ system, is_internal }: { system: object; is_internal: boolean }) => ({ ...system, is_internal }))
}

const isUndeliverable = async (email: string): Promise<boolean> => {
  const { items } = await get(`/contacts?email=${encodeURIComponent(email)}`)
  return items[0].identities[0].is_undeliverable
}

const unread = async ({ ticketId }: Sent) => (await omar.api.get(`/tickets/${ticketId}`)).body.is_unread

test('a permanent failure fails the message, notes the reason once, and makes the ticket unread for its assignee', async () => {
  const sent = await send()
  assert.equal(await unread(sent), false)
  const report = await bounce(sent, { address: sent.ann.toUpperCase() })
  await bounce(sent, { address: sent.ann })
  assert.deepEqual(await deliveryOf(sent), ['failed', '550 5.1.1 No such user'])
  assert.partialDeepStrictEqual(await listRecipientsOf(server, sent.id), [
    { address: sent.ann, status: 'failed', code: '5.1.1', words: '550 5.1.1 No such user' },
  ])
  const data = { address: sent.ann, code: '5.1.1', words: '550 5.1.1 No such user', message_id: sent.id }
  assert.deepEqual(await notesOf(sent), [{ kind: 'delivery_failed', data, is_internal: true }])
  assert.equal(await unread(sent), true)
  assert.partialDeepStrictEqual(await get(`/mail-log/${report.id}`), {
    ...{ state: 'done', outcome: 'bounce', message_id: null, evidence: null },
    ...{ ticket_id: sent.ticketId, reported_message_id: sent.id },
  })
  const { items } = await get(`/mail-log?ticket_id=${sent.ticketId}&outcome=bounce`)
  assert.equal(items.length, 2)
})

test('a permanent failure marks the address of the contact as undeliverable until an email from it arrives', async () => {
  const sent = await send()
  assert.equal(await isUndeliverable(sent.ann), false)
  await bounce(sent, { address: sent.ann })
  assert.equal(await isUndeliverable(sent.ann), true)
  await receive(receiving, support, makeMail('Hello again').replace(/^From: .*$/m, `From: ${sent.ann}`))
  assert.equal(await isUndeliverable(sent.ann), false)
  await bounce(await send(), { address: sent.ann })
  assert.equal(await isUndeliverable(sent.ann), false)
})

test('a temporary failure fails the message and does not mark the address', async () => {
  const sent = await send()
  await bounce(sent, { address: sent.ann, status: '4.4.7', words: 'delivery time expired' })
  assert.deepEqual(await deliveryOf(sent), ['failed', '4.4.7 delivery time expired'])
  assert.equal(await isUndeliverable(sent.ann), false)
})

test('a failure at one of two recipients leaves the message sent, with the reason', async () => {
  const sent = await send(['boss@example.com'])
  await bounce(
    sent,
    { address: 'boss@example.com' },
    { address: sent.ann, action: 'relayed', status: '2.0.0' },
  )
  assert.deepEqual(await deliveryOf(sent), ['sent', '550 5.1.1 No such user'])
  assert.deepEqual(await statusesOf(sent), ['delivered', 'failed'])
  await bounce(sent, { address: sent.ann })
  assert.deepEqual(await statusesOf(sent), ['delivered', 'failed'])
})

test('a delay is noted once; a later confirmation or receipt replaces it, and nothing replaces those', async () => {
  const sent = await send()
  const delay = {
    address: sent.ann,
    action: 'delayed',
    status: '4.4.1',
    words: 'Connection refused',
  } as const
  await bounce(sent, delay)
  await bounce(sent, delay)
  assert.deepEqual(await deliveryOf(sent), ['sent', null])
  assert.deepEqual(await statusesOf(sent), ['delayed'])
  assert.deepEqual(
    (await notesOf(sent)).map(({ kind }: { kind: string }) => kind),
    ['delivery_delayed'],
  )
  await bounce(sent, { address: sent.ann, action: 'delivered', status: '2.1.5', words: '250 OK' })
  assert.deepEqual(await deliveryOf(sent), ['delivered', null])
  const receipt = await receive(receiving, support, writeReceipt({ to: support }, sent.ann, sent.messageId))
  assert.partialDeepStrictEqual(receipt, { state: 'done', outcome: 'receipt' })
  assert.deepEqual(await deliveryOf(sent), ['read', null])
  await bounce(sent, delay)
  await bounce(sent, { address: sent.ann })
  assert.deepEqual(await deliveryOf(sent), ['read', null])
  assert.equal(await unread(sent), false)
})

test('an email that may have arrived is certain after a confirmed delivery', async () => {
  const sent = await send()
  await server.db`update messages set delivery_error = 'outcome_unknown' where id = ${sent.id}`
  await bounce(sent, { address: sent.ann, action: 'delayed', status: '4.4.1' })
  assert.deepEqual(await deliveryOf(sent), ['sent', 'outcome_unknown'])
  await bounce(sent, { address: sent.ann, action: 'delivered', status: '2.1.5' })
  assert.deepEqual(await deliveryOf(sent), ['delivered', null])
})

test('editing a message whose delivery is confirmed says that the email keeps its old text', async () => {
  const sent = await send()
  await bounce(sent, { address: sent.ann, action: 'delivered', status: '2.1.5' })
  assert.equal((await api.patch(`/messages/${sent.id}`, { content: 'Changed' })).status, 200)
  assert.deepEqual(await deliveryOf(sent), ['delivered', 'edit_not_propagated'])
})

test('a complaint adds one internal note and leaves the delivery unchanged', async () => {
  const sent = await send()
  const complain = (address: string | null, type?: string) =>
    receive(receiving, support, writeComplaint({ to: support, returned: returnedOf(sent) }, address, type))
  await complain(sent.ann, 'not-spam')
  assert.deepEqual(await notesOf(sent), [])
  await complain(sent.ann)
  await complain(null)
  const data = { address: sent.ann, message_id: sent.id }
  assert.deepEqual(await notesOf(sent), [{ kind: 'spam_complaint', data, is_internal: true }])
  assert.deepEqual(await deliveryOf(sent), ['sent', null])
})

test('a report finds its message by the return path alone', async () => {
  const sent = await send()
  const path = makeReturnPath(key, support, sent.id)!
  const foreign = 'Message-ID: <rewritten@relay.example>'
  await receive(receiving, path, writeDsn({ to: path, returned: foreign }, [{ address: sent.ann }]))
  assert.deepEqual(await statusesOf(sent), ['failed'])
})

test('a report finds its message by the ticket in References if a relay has replaced the Message-ID', async () => {
  const older = await send()
  const { id } = await makeMessage(api, older.ticketId, { email: { to: [older.ann], cc: [] } })
  await waitForDelivery(server, id)
  const anchor = makeAnchor(key, older.ticketId, 'desk.example.com')
  const returned = `Message-ID: <rewritten@relay.example>\nReferences: <${older.messageId}> <${anchor}>`
  await receive(receiving, support, writeDsn({ to: support, returned }, [{ address: older.ann }]))
  assert.deepEqual([await statusesOf(older), await statusesOf({ id })], [['sent'], ['failed']])
})

test('a report without any ID finds the newest message to its recipient, but does not mark the address', async () => {
  const sent = await send()
  const report = writeDsn({ to: support }, [{ address: sent.ann }])
  assert.equal((await receive(receiving, support, report)).outcome, 'bounce')
  assert.deepEqual(await statusesOf(sent), ['failed'])
  assert.equal(await isUndeliverable(sent.ann), false)
  const old = await send()
  await server.db`update messages set created_at = created_at - interval '15 days' where id = ${old.id}`
  const late = await receive(receiving, support, writeDsn({ to: support }, [{ address: old.ann }]))
  assert.deepEqual([late.state, late.outcome], ['parked', 'backscatter'])
  assert.deepEqual(await statusesOf(old), ['sent'])
})
