import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { joinProject } from '../../../../test/operator.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { badRequest, Refusal } from '../../../../test/telegram/refusals.ts'
import {
  findDelivery,
  openConversation,
  sendMessages,
  waitForDelivery,
} from '../../../../test/telegram/sending.ts'
import { until } from '../../../../test/until.ts'
import { makeUpload, png } from '../../../../test/upload.ts'

/** Messages that Telegram refuses, or that cannot be sent. */

let server: TestServer
const picture = png(40, 30)

before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

const upload = async (filename: string, content: string | Buffer): Promise<string> =>
  (await makeUpload(server.api, { filename, content })).id

async function notesIn(ticketId: string): Promise<string[]> {
  const { body } = await server.api.get(`/tickets/${ticketId}/messages?sender_type=system`)
  return body.items
    .filter(({ system }: { system: { kind: string } }) => system.kind === 'delivery_failed')
    .map(({ content }: { content: string }) => content)
}

test('a message without text whose only file was deleted fails, and the ticket says why', async t => {
  const { ann, reply, ticketId } = await openConversation(t, server)
  const id = await reply('', { media_ids: [await upload('1.txt', 'plain')] })
  await server.db`delete from media where message_id = ${id}`
  sendMessages(t, server)
  assert.partialDeepStrictEqual(await waitForDelivery(server, id), { status: 'failed', error: 'empty' })
  assert.deepEqual(await notesIn(ticketId), [
    'The Telegram message to Ann Lee could not be delivered: it has no text and no file',
  ])
  assert.deepEqual(ann.received, [])
})

test('a message whose file is missing from the storage fails, and the ticket says so', async t => {
  const { reply, ticketId } = await openConversation(t, server)
  const id = await reply('See the file', { media_ids: [await upload('1.txt', 'plain')] })
  await server.db`update media set storage_key = 'missing' where message_id = ${id}`
  sendMessages(t, server)
  assert.partialDeepStrictEqual(await waitForDelivery(server, id), {
    status: 'failed',
    error: 'file_missing',
  })
  assert.match((await notesIn(ticketId))[0]!, /: one of its files is missing from the storage$/)
})

test('if a proxy answers instead of the server, the message is sent again and the bot keeps working', async t => {
  for (const proxyStatus of [401, 403, 404, 413]) {
    const { standIn, ann, reply } = await openConversation(t, server)
    let answers = 0
    standIn.world.findFault = ({ method }) =>
      method === 'sendMessage' && answers++ === 0 ? { proxyStatus } : undefined
    sendMessages(t, server, { pauses: [10] })
    const id = await reply('Hello')
    assert.partialDeepStrictEqual(await waitForDelivery(server, id), { status: 'sent', error: null })
    assert.deepEqual([answers, ann.received.map(({ text }) => text)], [2, ['Hello']])
  }
})

test('a picture that Telegram refuses is sent as a document, alone and in an album', async t => {
  const { standIn, ann, reply } = await openConversation(t, server)
  standIn.world.findFault = ({ method, params }) => {
    if (method === 'sendPhoto') return badRequest('PHOTO_INVALID_DIMENSIONS')
    return params.media?.[0]?.type === 'photo' ? badRequest('IMAGE_PROCESS_FAILED') : undefined
  }
  sendMessages(t, server)
  const one = await reply('One', { media_ids: [await upload('1.png', picture)] })
  const media_ids = [await upload('2.png', picture), await upload('3.png', picture)]
  const two = await reply('Two', { media_ids })
  for (const id of [one, two])
    assert.partialDeepStrictEqual(await waitForDelivery(server, id), { status: 'sent', error: null })
  assert.deepEqual(
    ann.received.map(({ caption, document, photo }) => [caption, document?.file_name, photo]),
    [
      ['One', '1.png', undefined],
      ['Two', '2.png', undefined],
      [undefined, '3.png', undefined],
    ],
  )
})

test('if the answer to the first attempt was lost, a refusal of the second does not fail the message', async t => {
  const { standIn, ann, reply, ticketId, id: botId } = await openConversation(t, server)
  let attempts = 0
  standIn.world.findFault = ({ method }) => {
    if (method !== 'sendMessage') return undefined
    return attempts++ === 0 ? 'cut_after' : new Refusal(403, 'Forbidden: bot was blocked by the user')
  }
  sendMessages(t, server)
  const id = await reply('Hello')
  assert.partialDeepStrictEqual(await waitForDelivery(server, id), {
    status: 'sent',
    error: 'outcome_unknown',
  })
  assert.equal(ann.received.length, 1)
  assert.deepEqual(await notesIn(ticketId), [])
  const [chat] = await server.db`select blocked_at from telegram_chats where bot_id = ${botId}`
  assert.notEqual(chat!.blocked_at, null)
})

const callsOf = ({ calls }: { calls: { method: string }[] }) =>
  calls.filter(({ method }) => method === 'sendMessage').length

test('a contact who has blocked the bot gets no ticket-closed message', async t => {
  const { ann, bot, reply, ticketId } = await openConversation(t, server)
  ann.state.refusal = 'blocked'
  sendMessages(t, server)
  await waitForDelivery(server, await reply('Anyone there?'))
  await server.api.post(`/tickets/${ticketId}/close`)
  const next = await reply('One more')
  assert.equal((await waitForDelivery(server, next)).status, 'failed')
  const { body } = await server.api.get(`/tickets/${ticketId}/messages?sender_type=bot`)
  assert.deepEqual(
    body.items.filter(({ system }: { system: object | null }) => system !== null),
    [],
  )
  assert.equal(callsOf(bot), 2)
})

test('a queued ticket-closed message is cancelled without a note if the contact has since blocked the bot', async t => {
  const { ann, bot, reply, ticketId } = await openConversation(t, server)
  const omar = await joinProject(server, server.acme, { role: 'operator' })
  await server.api.post(`/tickets/${ticketId}/assign`, { operator_id: omar.id })
  ann.state.refusal = 'blocked'
  const first = await reply('Anyone there?')
  await server.api.post(`/tickets/${ticketId}/close`)
  sendMessages(t, server)
  assert.equal((await waitForDelivery(server, first)).status, 'failed')
  const { body } = await server.api.get(`/tickets/${ticketId}/messages?sender_type=bot`)
  const closing = body.items.find(({ id }: { id: string }) => id !== first)
  await until(async () => (await findDelivery(server, closing.id)).status !== 'pending')
  assert.partialDeepStrictEqual(await findDelivery(server, closing.id), {
    status: 'failed',
    error: 'blocked',
  })
  assert.equal(callsOf(bot), 1)
  assert.equal((await notesIn(ticketId)).length, 1)
})

test('a ticket-closed message that is refused because the contact blocked the bot leaves no note', async t => {
  const { ann, bot, ticketId } = await openConversation(t, server)
  ann.state.refusal = 'blocked'
  sendMessages(t, server)
  await server.api.post(`/tickets/${ticketId}/close`)
  await until(() => callsOf(bot) === 1)
  await until(
    async () =>
      (await server.db`select from outgoing_queue where project_id = ${server.acme.id}`).length === 0,
  )
  assert.deepEqual(await notesIn(ticketId), [])
})
