import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeMessage } from '../../test/cast.ts'
import { makeChannelWithMessage } from '../../test/custom-channel.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { examineChannels } from './channels.ts'

let server: TestServer

before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

const examine = async () => (await examineChannels(server.db)).map(({ ok, message }) => [ok, message])

test('custom channels are counted, and one whose replies have waited for more than 15 minutes is reported unless it is paused', async () => {
  assert.deepEqual(await examine(), [])
  const { ticket_id } = await makeChannelWithMessage(server.db, server.acme, server.api)
  await makeMessage(server.api, ticket_id)
  assert.deepEqual(await examine(), [[true, '1, 0 paused']])
  await server.db`update outgoing_queue set created_at = now() - interval '16 minutes'`
  assert.deepEqual(await examine(), [
    [
      false,
      'replies in Signal (Acme) have waited for more than 15 min; start the program that connects the messenger, or pause the channel',
    ],
  ])
  await server.db`update custom_channels set state = 'paused'`
  assert.deepEqual(await examine(), [[true, '1, 1 paused']])
})
