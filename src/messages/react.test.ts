import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventsOf, makeMessage, makeTicket, nobody } from '../../test/cast.ts'
import { assertEnvelope } from '../../test/client.ts'
import { joinCast, type Person } from '../../test/operator.ts'
import { startServer } from '../../test/server.ts'

const server = await startServer({ delivers: false })
const { api } = server
let olga: Person
let omar: Person
let rita: Person
let message: { id: string }

before(async () => {
  ;({ olga, omar, rita } = await joinCast(server))
  message = await makeMessage(api, (await makeTicket(api)).id)
})
after(() => server.close())

const at = (emoji: string, id = message.id) => `/messages/${id}/reactions/${encodeURIComponent(emoji)}`

test('a reaction is shown and emitted once, even if it is added several times', async () => {
  const events = await eventsOf(server, async () => {
    const answers = await Promise.all([1, 2, 3].map(() => omar.api.put(at('👍🏽'))))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    )
  })
  assert.deepEqual(
    events.map(({ type, data }) => [type, data]),
    [
      [
        'message.reaction.added',
        { message_id: message.id, reactor_kind: 'operator', reactor_id: omar.id, emoji: '👍🏽' },
      ],
    ],
  )
  const { reactions, version } = (await api.get(`/messages/${message.id}`)).body
  assert.equal(version, 2)
  assert.partialDeepStrictEqual(reactions, [{ emoji: '👍🏽', reactor_kind: 'operator', reactor_id: omar.id }])
})

test('people can remove only their own reactions, and no event is emitted', async () => {
  await Promise.all([omar, olga].map(who => who.api.put(at('🎉'))))
  const events = await eventsOf(server, async () => {
    const { reactions } = (await omar.api.delete(at('🎉'))).body
    const left = reactions.filter(({ emoji }: { emoji: string }) => emoji === '🎉')
    assert.deepEqual(
      left.map(({ reactor_id }: { reactor_id: string }) => reactor_id),
      [olga.id],
    )
  })
  assert.deepEqual(events, [])
})

test('a reaction must be a single emoji', async () => {
  for (const text of ['a', '👍👍', '<b>', ' ', '1'])
    assertEnvelope(await omar.api.put(at(text)), 422, 'VALIDATION_ERROR', { field: 'emoji' })
  for (const emoji of ['👩‍👩‍👧', '🇺🇦', '1️⃣', '❤️'])
    assert.equal((await omar.api.put(at(emoji))).status, 200, emoji)
})

test('a person can add at most 20 reactions to a message', async () => {
  const { id } = await makeMessage(api, (await makeTicket(api)).id)
  const emojis = Array.from({ length: 21 }, (_, n) => String.fromCodePoint(0x1f34e + n))
  const statuses = []
  for (const emoji of emojis) statuses.push((await omar.api.put(at(emoji, id))).status)
  assert.deepEqual(statuses, [...Array(20).fill(200), 422])
})

test('Rival cannot react to a message of Acme', async () => {
  for (const id of [message.id, nobody, 'nope']) {
    assertEnvelope(await rita.api.put(at('👍', id)), 404, 'MESSAGE_NOT_FOUND')
    assertEnvelope(await rita.api.delete(at('👍', id)), 404, 'MESSAGE_NOT_FOUND')
  }
})
