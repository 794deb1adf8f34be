import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startServer, type TestServer } from '../../test/server.ts'
import { insertBot } from '../../test/telegram/bots.ts'
import { examineTelegram } from './telegram.ts'

let server: TestServer
let id: string

before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

const examine = async () =>
  (await examineTelegram(server.db, true)).map(({ name, message }) => [name, message])

test('has no checks without bots', async () => {
  assert.deepEqual(await examine(), [])
})

test('counts the bots', async () => {
  id = await insertBot(server, server.acme, 'acme_bot')
  assert.deepEqual(await examine(), [
    ['Telegram bots', '1, 0 with a problem, 0 paused'],
    ['Telegram messages', 'nothing is overdue'],
    ['Telegram handling', 'nothing has failed'],
  ])
})

test('reports a bot whose messages no process receives, and the missing role', async () => {
  await server.db`update telegram_bots set created_at = now() - interval '1 hour' where id = ${id}`
  const [[name, text]] = (await examine()) as [[string, string]]
  assert.equal(name, 'Telegram bots')
  assert.match(text, /^no process receives messages of @acme_bot; start one with the role channels/)
})

test('reports a bot with a problem, and what to do', async () => {
  await server.db`
    update telegram_bots set state = 'broken', last_error = '{"code": "token_refused", "values": {}}' where id = ${id}`
  const found = await examine()
  assert.match(found.at(-1)![1]!, /^@acme_bot \(Acme\): Telegram does not accept the token/)
})

test('reports messages that have waited too long, in either direction', async () => {
  for (const kind of ['telegram_updates', 'outgoing_telegram']) {
    await server.db`insert into due_work values (${server.acme.id}, ${kind}, ${id}, now() - interval '10 minutes')`
    const [, [, text]] = (await examine()) as [unknown, [string, string]]
    assert.match(text, /^messages from or to Telegram have waited for 10 min/)
    await server.db`delete from due_work where kind = ${kind}`
  }
})
