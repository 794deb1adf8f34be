import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { listMessages, openBot } from '../../../../test/telegram/bots.ts'
import { makePerson, Participant } from '../../../../test/telegram/people.ts'
import { unixTime } from '../../../../test/telegram/world.ts'

/** Messages that are fetched late, such as after an outage. */

let server: TestServer

before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

test("a chat's messages stay in order even if only some of them are old when they are handled", async t => {
  const { ann, settled } = await openBot(t, server)
  ann.say('one')
  await settled()
  for (const text of ['two', 'three']) ann.say(text, undefined, { date: unixTime() - 120 })
  await settled()
  const messages = await listMessages(server, ann.person.id)
  assert.deepEqual(
    messages.map(({ content }) => content),
    ['one', 'two', 'three'],
  )
})

test('an old message keeps its time', async t => {
  const { ann, settled } = await openBot(t, server)
  const date = unixTime() - 7_200
  ann.say('from yesterday', undefined, { date })
  await settled()
  const [message] = await listMessages(server, ann.person.id)
  const { body } = await server.api.get(`/messages/${message!.id}`)
  assert.equal(Date.parse(`${body.created_at}Z`), date * 1_000)
})

/** Office hours that ended an hour ago. */
function hoursUntilNow() {
  const [from, to] = [3, 1].map(hours => new Date(Date.now() - hours * 3_600_000))
  const clock = (time: Date) => time.toISOString().slice(11, 16)
  return { timezone: 'UTC', days: [{ day: from!.getUTCDay() || 7, from: clock(from!), to: clock(to!) }] }
}

test('a message written during office hours gets no away message, even if it is handled after them', async t => {
  const hours = hoursUntilNow()
  await server.db`insert into widgets (project_id, settings) values (${server.acme.id}, ${server.db.json({ hours })})
    on conflict (project_id) do update set settings = excluded.settings`
  t.after(() => server.db`delete from widgets where project_id = ${server.acme.id}`)
  const { standIn, bot, ann, settled } = await openBot(t, server)
  const ben = new Participant(standIn.world, bot, makePerson({ first_name: 'Ben' }))
  ann.say('Are you there?', undefined, { date: unixTime() - 2 * 3_600 })
  ben.say('Are you there?')
  await settled()
  const kindsOf = async (telegramId: number) =>
    (await listMessages(server, telegramId)).map(({ sender_type }) => sender_type)
  assert.deepEqual(await kindsOf(ann.person.id), ['contact'])
  assert.deepEqual(await kindsOf(ben.person.id), ['contact', 'bot'])
})
