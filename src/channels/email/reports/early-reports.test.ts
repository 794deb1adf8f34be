import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeMessage, unique } from '../../../../test/cast.ts'
import { writeDsn } from '../../../../test/mail/delivery-reports.ts'
import { receive, startSupport } from '../../../../test/mail/receiving.ts'
import {
  findDelivery,
  findSendFault,
  listRecipientsOf,
  openEmailTicket,
  openSender,
  postEmail,
  quickTimes,
  sendMails,
  waitForDelivery,
} from '../../../../test/mail/sending.ts'
import { reply, startSink } from '../../../../test/mail/sink.ts'
import { until } from '../../../../test/until.ts'
import { makeMessageId } from '../../../mail/tokens.ts'

/** Delivery reports that arrive while their email is still in the queue. */

const support = 'support@desk.example.com'
const { receiving } = await startSupport(support)
const { server } = receiving
const key = server.vault.derive('mail')

const isQueued = async (id: string): Promise<boolean> =>
  (await server.db`select from outgoing_queue where message_id = ${id}`).count > 0

/** Makes a queued email due. */
async function hurry(id: string): Promise<void> {
  await server.db`update outgoing_queue set run_at = now() where message_id = ${id}`
  await server.db`update due_work set due_at = now() where kind = 'outgoing'`
}

const bounce = (id: string, address: string) =>
  receive(
    receiving,
    support,
    writeDsn({ to: support, returned: `Message-ID: <${makeMessageId(key, id, 'desk.example.com')}>` }, [
      { address },
    ]),
  )

/** An email whose response was lost, and whose recipient is then reported as unknown. */
async function loseAnswer(t: { after(run: () => unknown): void }) {
  const sink = await startSink(t, { onMail: () => 'cut' })
  const sender = await openSender(server, sink)
  sendMails(t, server, { ...quickTimes, uncertainMs: 3_600_000 })
  const address = `ann.${unique()}@example.com`
  const id = await postEmail(server, sender, { to: [address] })
  await until(
    async () =>
      (await server.db`select from outgoing_queue where message_id = ${id} and phase = 'uncertain'`).count >
      0,
  )
  assert.equal((await bounce(id, address)).outcome, 'bounce')
  assert.equal((await findDelivery(server, id)).status, 'failed')
  sink.state.script = {}
  return { sink, sender, id, address }
}

test('an email is removed from the queue when all its recipients were reported, and its mailbox keeps sending', async t => {
  const { sink, sender, id, address } = await loseAnswer(t)
  await hurry(id)
  await until(async () => !(await isQueued(id)))
  assert.equal((await findSendFault(server, sender)).code, null)
  assert.equal((await findDelivery(server, id)).status, 'failed')
  assert.deepEqual(
    sink.mails.map(({ to }) => to),
    [[address]],
  )
})

test('an email that bounced after its response was lost can be sent again', async t => {
  const { sink, id, address } = await loseAnswer(t)
  assert.equal((await server.api.post(`/messages/${id}/retry`)).status, 200)
  assert.partialDeepStrictEqual(await waitForDelivery(server, id), { status: 'sent', error: null })
  assert.deepEqual(
    sink.mails.map(({ to }) => to),
    [[address], [address]],
  )
})

test('a report without a Message-ID does not change a message that is waiting for its next attempt', async t => {
  const sink = await startSink(t, { onMail: () => reply(451, 'Later') })
  const sender = await openSender(server, sink)
  sendMails(t, server, { ...quickTimes, pauses: [3_600_000] })
  const id = await postEmail(server, sender, { to: [`ann.${unique()}@example.com`] })
  await until(async () => (await findDelivery(server, id)).attempts > 0)
  const [recipient] = await listRecipientsOf(server, id)
  const report = writeDsn({ to: sender.address }, [{ address: recipient!.address }])
  assert.equal((await receive(receiving, sender.address, report)).outcome, 'backscatter')
  assert.equal((await findDelivery(server, id)).status, 'pending')
})

test('a report about a recipient with an internationalised domain is matched to the recipient', async t => {
  const sink = await startSink(t)
  const sender = await openSender(server, sink)
  sendMails(t, server)
  const ticket = await openEmailTicket(server)
  const email = { to: ['ann@bücher.example'], mailbox_id: sender.id }
  const { id } = await makeMessage(server.api, ticket.id, { email })
  assert.equal((await waitForDelivery(server, id)).status, 'sent')
  await bounce(id, 'ann@xn--bcher-kva.example')
  assert.equal((await findDelivery(server, id)).status, 'failed')
})
