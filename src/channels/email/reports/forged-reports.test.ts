import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { makeMessage, unique } from '../../../../test/cast.ts'
import { openFileContext } from '../../../../test/file-context.ts'
import { writeComplaint, writeDsn, writeReceipt } from '../../../../test/mail/delivery-reports.ts'
import { listRecipientsOf } from '../../../../test/mail/pretend-sent.ts'
import { openMailbox, receive, startSupport } from '../../../../test/mail/receiving.ts'
import { openEmailTicket, sendMails, sendThrough, waitForDelivery } from '../../../../test/mail/sending.ts'
import { startSink } from '../../../../test/mail/sink.ts'
import { makeMessageId, makeReturnPath } from '../../../mail/tokens.ts'

/** Reports that strangers forge, and reports that reach another project, change nothing. */

const support = 'support@desk.example.com'
const help = 'help@rival.example'
const context = openFileContext()
const { receiving, get } = await startSupport(support)
const { server } = receiving
const { api, acme, rival, outsider } = server
const key = server.vault.derive('mail')
const boss = 'boss@example.com'

before(async () => {
  await openMailbox(receiving, help, {}, rival)
  const [row] = await server.db<{ id: string }[]>`select id from mailboxes where address = ${support}`
  await sendThrough(server, row!.id, await startSink(context))
  sendMails(context, server)
})

async function send() {
  const ann = `ann.${unique()}@example.com`
  const ticket = await openEmailTicket(server, ann)
  const { id } = await makeMessage(api, ticket.id, { email: { to: [ann, boss] } })
  await waitForDelivery(server, id)
  return { id, ann, ticketId: ticket.id, messageId: makeMessageId(key, id, 'desk.example.com') }
}

type Sent = Awaited<ReturnType<typeof send>>

/** All that a report can change. */
const stateOf = async ({ id, ann, ticketId }: Sent) => ({
  recipients: await listRecipientsOf(server, id),
  message: await get(`/messages/${id}`),
  ticket: await get(`/tickets/${ticketId}`),
  contacts: (await get(`/contacts?email=${ann}`)).items,
})

const forgeId = (id: string): string => id.replace(/\.[a-z2-7]+@/, '.aaaaaaaaaaaaaaaa@')

async function changesNothing(sent: Sent, report: string, to = support, member = acme) {
  const before = await stateOf(sent)
  const mail = await receive(receiving, to, report, member)
  assert.deepEqual(await stateOf(sent), before)
  const client = member === acme ? api : outsider
  const { body } = await client.get(`/mail-log/${mail.id}`)
  return { ...mail, reported: body.reported_message_id as string | null }
}

test('a report with a guessed Message-ID is parked and changes nothing', async () => {
  const sent = await send()
  const returned = `Message-ID: <${forgeId(sent.messageId)}>\nSubject: Re: Lamp`
  const mail = await changesNothing(sent, writeDsn({ to: support, returned }, [{ address: sent.ann }]))
  assert.partialDeepStrictEqual(mail, {
    state: 'parked',
    outcome: 'backscatter',
    ticket_id: null,
    reported: null,
  })
})

test('a report to a guessed return path changes nothing', async () => {
  const sent = await send()
  const path = forgeId(makeReturnPath(key, support, sent.id)!)
  const returned = 'Message-ID: <other@example.net>'
  const mail = await changesNothing(sent, writeDsn({ to: path, returned }, [{ address: sent.ann }]), path)
  assert.partialDeepStrictEqual(mail, { outcome: 'backscatter', reported: null })
})

test('a report about somebody who is no recipient of the message changes nothing', async () => {
  const [sent, other] = [await send(), await send()]
  const returned = `Message-ID: <${sent.messageId}>`
  const mail = await changesNothing(other, writeDsn({ to: support, returned }, [{ address: other.ann }]))
  assert.deepEqual([mail.outcome, mail.reported], ['bounce', sent.id])
  assert.deepEqual(
    (await listRecipientsOf(server, sent.id)).map(({ status }) => status),
    ['sent', 'sent'],
  )
  await changesNothing(sent, writeReceipt({ to: support }, other.ann, sent.messageId))
  await changesNothing(sent, writeComplaint({ to: support, returned }, other.ann))
})

test('a report that reaches a mailbox of another project changes nothing, whatever it contains', async () => {
  const sent = await send()
  const returned = `Message-ID: <${sent.messageId}>`
  const reports = [
    writeDsn({ to: makeReturnPath(key, help, sent.id)!, returned }, [{ address: sent.ann }]),
    writeDsn({ to: help }, [{ address: sent.ann }]),
    writeReceipt({ to: help }, sent.ann, sent.messageId),
    writeComplaint({ to: help, returned }, sent.ann),
  ]
  for (const report of reports) {
    const { ticket_id, reported } = await changesNothing(sent, report, help, rival)
    assert.deepEqual([ticket_id, reported], [null, null])
  }
})

test('a report that names no ID finds only messages that its own mailbox has sent', async () => {
  const sent = await send()
  const other = 'billing@desk.example.com'
  await openMailbox(receiving, other)
  const mail = await changesNothing(sent, writeDsn({ to: other }, [{ address: sent.ann }]), other)
  assert.equal(mail.outcome, 'backscatter')
})
