import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { insertBot } from '../../../../test/telegram/bots.ts'
import type { BotApi } from '../bot-api/client.ts'
import { findConnectedBot } from '../bots/queries.ts'
import { pollUpdates } from './poll.ts'

/** The number from which updates are fetched. */

let server: TestServer

before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

/** Fetches until so many calls were made, of which the first returns an update. Returns their numbers. */
async function listOffsets(quietMs: number, count: number): Promise<unknown[]> {
  const { db, acme } = server
  const bot = (await findConnectedBot(db, acme.id, await insertBot(server, acme, `quiet_${quietMs}_bot`)))!
  const stop = new AbortController()
  const offsets: unknown[] = []
  const call = async (method: string, params: { offset?: number }) => {
    if (method !== 'getUpdates') return true
    offsets.push(params.offset)
    if (offsets.length === count) stop.abort()
    return offsets.length === 1 ? [{ update_id: 41, message: { message_id: 1, chat: { id: 5 } } }] : []
  }
  const api = { call, download: call } as never as BotApi
  await pollUpdates({ db, api, bot, stopping: stop.signal, quietMs })
  return offsets
}

test('updates are fetched from the number after the last one, and without a number after days without any', async () => {
  assert.deepEqual(await listOffsets(60_000, 3), [undefined, 42, 42])
  assert.deepEqual(await listOffsets(0, 3), [undefined, undefined, undefined])
})
