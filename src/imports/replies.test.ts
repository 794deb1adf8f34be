import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeMessage, unique } from '../../test/cast.ts'
import { importItems, oldMessage, oldTicket } from '../../test/imports.ts'
import { receive, startSupport } from '../../test/mail/receiving.ts'
import { sendMails, sendThrough, waitForDelivery } from '../../test/mail/sending.ts'
import { startSink } from '../../test/mail/sink.ts'
import { writeMail } from '../../test/mail/write-mail.ts'

/** What happens in imported tickets afterwards. */

const support = 'support@acme.example'
const { receiving, get } = await startSupport(support)
const { server } = receiving
const { api, db } = server

async function importTicket(fields: object) {
  const [{ id }] = await importItems(api, 'tickets', [oldTicket({ status: 'open', ...fields })])
  return id as string
}

const replyIn = async (ticketId: string) =>
  (await makeMessage(api, ticketId, { content: 'Hello', sender_type: 'operator' })) as { id: string }

test('a reply in an imported email ticket is sent from the mailbox of the project', async t => {
  const sink = await startSink(t)
  const [mailbox] = await db<{ id: string }[]>`select id from mailboxes where address = ${support}`
  await sendThrough(server, mailbox!.id, sink)
  sendMails(t, server)
  const item = oldTicket({ status: 'open', channel: 'email' })
  const [{ id }] = await importItems(api, 'tickets', [item])
  const delivery = await waitForDelivery(server, (await replyIn(id)).id)
  assert.partialDeepStrictEqual(delivery, { status: 'sent', error: null })
  assert.deepEqual(
    sink.mails.map(({ to }) => to),
    [[item.contact.email]],
  )
})

const others = {
  telegram: { status: 'failed', error: 'no_chat' },
  'custom:gone': { status: 'failed', error: 'no_recipient' },
  widget: { status: 'sent', error: null },
  phone: { status: 'sent', error: null },
}

for (const [channel, expected] of Object.entries(others))
  test(`a reply in an imported ticket of the channel ${channel} is ${expected.status} at once`, async () => {
    const { id } = await replyIn(await importTicket({ channel }))
    const { delivery } = await get(`/messages/${id}`)
    assert.partialDeepStrictEqual(delivery, expected)
  })

test('an email that answers an imported email joins its ticket', async () => {
  const message_id = `${unique()}@old.example`
  const messages = [oldMessage(unique(), { email: { message_id: `<${message_id}>` } })]
  const item = oldTicket({ status: 'open', channel: 'email', messages })
  const [{ id }] = await importItems(api, 'tickets', [item])
  const { raw } = writeMail({ from: item.contact.email, to: support, answers: message_id })
  const mail = await receive(receiving, support, raw)
  assert.partialDeepStrictEqual(mail, { state: 'done', ticket_id: id })
  assert.partialDeepStrictEqual(await get(`/messages/${mail.message_id}`), {
    ticket_id: id,
    sender_type: 'contact',
  })
})
