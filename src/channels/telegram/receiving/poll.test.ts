import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { insertBot } from '../../../../test/telegram/bots.ts'
import { until } from '../../../../test/until.ts'
import type { BotApi } from '../bot-api/client.ts'
import { findConnectedBot } from '../bots/queries.ts'
import { pollUpdates } from './poll.ts'
import { createStoringSlots } from './storing-slots.ts'

/** Which updates are fetched, and when. */

let server: TestServer

before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

const slots = createStoringSlots()

/** Fetches until this many calls were made, the first of which returns an update. Returns the offsets of the calls. */
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
  await pollUpdates({ db, api, bot, stopping: stop.signal, slots, quietMs, earlyPauseMs: 1 })
  return offsets
}

test('updates are fetched starting after the last one, and without an offset after days without updates', async () => {
  assert.deepEqual(await listOffsets(60_000, 3), [undefined, 42, 42])
  assert.deepEqual(await listOffsets(0, 3), [undefined, undefined, undefined])
})

/** A project's own server that answers immediately. Returns how many calls it got: at most 20, or those until shortly after the second one. */
async function countCalls(answer: (offset: number) => object[], isPaused = true): Promise<number> {
  const { db, acme } = server
  const bot = (await findConnectedBot(db, acme.id, await insertBot(server, acme, 'early_bot')))!
  const stop = new AbortController()
  let count = 0
  const call = async (method: string, { offset = 1 }: { offset?: number }) => {
    if (method !== 'getUpdates') return true
    count++
    if (count === 2 && isPaused) setTimeout(() => stop.abort(), 200)
    if (count === 20) stop.abort()
    return answer(offset)
  }
  const api = { call, download: call } as never as BotApi
  await pollUpdates({ db, api, bot, stopping: stop.signal, slots, earlyPauseMs: 60_000 })
  return count
}

test('a server that answers early without new updates is asked again only after a pause', async () => {
  assert.equal(await countCalls(() => []), 2)
  const old = { update_id: 7, message: { message_id: 1, chat: { id: 5 } } }
  assert.equal(await countCalls(() => [old]), 2)
  assert.equal(await countCalls(offset => [{ ...old, update_id: offset }], false), 20)
})

test('no project takes more than half of the slots for storing updates', async () => {
  const places = createStoringSlots(4)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const use = (projectId: string) =>
    places.use(projectId, async () => {
      begun.push(projectId)
      await new Promise<void>(resolve => void ends.push(resolve))
    })
  const works = [...Array(5).keys()].map(() => use('acme')).concat(use('rival'))
  await until(() => begun.length === 3)
  assert.deepEqual(begun, ['acme', 'acme', 'rival'])
  ends[0]!()
  await until(() => begun.length === 4)
  assert.deepEqual(begun.slice(3), ['acme'])
  while (begun.length < works.length) {
    for (const end of ends) end()
    await new Promise(setImmediate)
  }
  for (const end of ends) end()
  await Promise.all(works)
})
