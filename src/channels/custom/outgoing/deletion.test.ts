import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { unique } from '../../../../test/cast.ts'
import { makeChannel } from '../../../../test/custom-channel.ts'
import { joinProject } from '../../../../test/operator.ts'
import { startServer } from '../../../../test/server.ts'
import { until } from '../../../../test/until.ts'
import { type Tx, transact } from '../../../events/transaction.ts'
import { updateDelivery } from '../../../messages/messages.ts'
import { postChannelMessage } from '../../messenger/post-message.ts'
import { customMessenger } from '../queries.ts'
import { deleteWaiting } from './outgoing-queries.ts'
import { createCustomOutlet } from './outlet.ts'

/** Deletions of a channel while another transaction changes one of its messages. */

const server = await startServer({ delivers: false })
const { api, acme, db } = server
const admin = (await joinProject(server, acme, { role: 'admin' })).api
after(() => server.close())

async function answer() {
  const program = await makeChannel(admin, api)
  const { ticket_id } = (await program.post(unique(), 'Hello')).body
  const { id, channel } = (await admin.post(`/tickets/${ticket_id}/messages`, { content: 'Answer' })).body
  return { program, message: { id, ticket_id, channel } }
}

/** Runs the change, and commits it while the deletion of the channel is waiting for it. */
async function deleteDuring(channelId: string, change: (tx: Tx) => Promise<unknown>): Promise<void> {
  const { resolve: reportChanged, promise: isChanged } = Promise.withResolvers<void>()
  const changing = transact(db, acme.id, async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await change(tx)
    reportChanged()
    await until(async () => {
      const { count } = await db`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return count > 0
    })
  })
  await Promise.race([isChanged, changing])
  const deleted = admin.delete(`/channels/${channelId}`)
  await changing
  assert.equal((await deleted).status, 204)
}

const deliveryOf = async (id: string) => (await api.get(`/messages/${id}`)).body.delivery

test('a message that is reported as sent during the deletion stays sent', async () => {
  const { program, message } = await answer()
  await deleteDuring(program.channel.id, async tx => {
    await updateDelivery(tx, message.id, { status: 'sent', error: null })
    await deleteWaiting(tx, acme.id, message.id)
  })
  assert.equal((await deliveryOf(message.id)).status, 'sent')
})

test('a message that is queued again during the deletion fails', async () => {
  const { program, message } = await answer()
  await program.report(message.id, 'failed')
  await deleteDuring(program.channel.id, async tx => {
    await updateDelivery(tx, message.id, { status: 'pending', error: null })
    await createCustomOutlet().retry!(tx, {
      ...message,
      email: null,
      sender_type: 'operator',
      sender_name: null,
    })
  })
  assert.partialDeepStrictEqual(await deliveryOf(message.id), { status: 'failed', error: 'channel_deleted' })
  assert.equal((await db`select from outgoing_queue where message_id = ${message.id}`).count, 0)
})

test('a message that is posted at the same moment is refused', async () => {
  const { program } = await answer()
  const channel = (await api.get(`/channels/${program.channel.id}`)).body
  assert.equal((await admin.delete(`/channels/${channel.id}`)).status, 204)
  const caller = {
    project: { id: acme.id, name: 'Acme' },
    actor: { type: 'api' as const, id: acme.id },
  }
  const message = { external_id: unique(), contact: { external_id: unique() }, content: 'Hello' }
  const account = { ...channel, channel: `custom:${channel.name}` }
  const posted = postChannelMessage(db, caller, { messenger: customMessenger, account }, message)
  await assert.rejects(posted, { code: 'CHANNEL_NOT_FOUND' })
})
