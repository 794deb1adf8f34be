import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { joinProject } from '../../../../test/operator.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { listMessages, openBot } from '../../../../test/telegram/bots.ts'
import { until } from '../../../../test/until.ts'
import { examineTelegram } from '../../../doctor/telegram.ts'
import { createBotApis } from '../bot-api/bot-apis.ts'
import { changeBot } from '../bots/bots.ts'

/** Updates that cannot be handled are kept, shown, and handled again when an admin retries them. */

let server: TestServer

before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

const contentsOf = async (telegramId: number) =>
  (await listMessages(server, telegramId)).map(one => one.content)

/** A bot with three messages, of which the second fails. */
async function openWithFailure(t: Parameters<typeof openBot>[0]) {
  const { db, acme } = server
  const opened = await openBot(t, server)
  const { ann, id } = opened
  ann.say('first')
  await opened.settled()
  const cure = () => db`alter table telegram_messages drop constraint if exists no_failure`
  await db`alter table telegram_messages add constraint no_failure check (caption <> 'fails')`
  t.after(cure)
  const { message_id } = ann.say('second', undefined, { caption: 'fails' })
  ann.say('third')
  const due = async () => {
    await db`update telegram_updates set attempts = 4 where bot_id = ${id} and state = 'stored' and attempts > 0`
    await db`update telegram_chats set due_at = now() where bot_id = ${id}`
    await db`insert into due_work values (${acme.id}, 'telegram_updates', ${id}, now())
      on conflict (project_id, kind, subject_id) do update set due_at = now()`
  }
  await until(async () => {
    await due()
    return (await contentsOf(ann.person.id)).includes('third')
  }, 30)
  return { ...opened, cure, message_id }
}

test('an update that fails five times is kept and shown, does not delay others, and is handled when it is retried', async t => {
  const { ann, id, cure } = await openWithFailure(t)
  const { api: admin } = await joinProject(server, server.acme, { role: 'admin' })
  const { api: rival } = await joinProject(server, server.rival, { role: 'owner' })
  assert.deepEqual(await contentsOf(ann.person.id), ['first', 'third'])
  const { failed_updates } = (await admin.get(`/telegram-bots/${id}`)).body
  assert.equal(failed_updates.count, 1)
  assert.match(failed_updates.last_error, /no_failure/)
  const [message] = await listMessages(server, ann.person.id)
  const chatOf = async () => (await admin.get(`/tickets/${message!.ticket_id}/telegram`)).body.chat
  assert.equal((await chatOf()).failed_updates, 1)
  const reports = (await examineTelegram(server.db, true)).map(one => one.message)
  assert.ok(reports.some(one => one.includes(`telegram retry ${id}`)))
  assert.equal((await rival.post(`/telegram-bots/${id}/retry`)).status, 404)
  await cure()
  assert.equal((await admin.post(`/telegram-bots/${id}/retry`)).status, 200)
  await until(async () => (await contentsOf(ann.person.id)).length === 3)
  assert.equal((await admin.get(`/telegram-bots/${id}`)).body.failed_updates, null)
  assert.equal((await chatOf()).failed_updates, 0)
  const [audited] = await server.db`
    select action from audit_entries where target_id = ${id} order by created_at desc, id desc limit 1`
  assert.equal(audited!.action, 'telegram_bot.updates_retried')
})

test('a failed update is kept when the bot moves to another server', async t => {
  const { ann, bot, id, standIn, cure } = await openWithFailure(t)
  const apis = createBotApis(server)
  t.after(() => apis.close())
  const caller = { project: { id: server.acme.id }, actor: { type: 'cli' as const } }
  const access = { token: bot.token, api_root: standIn.url.replace('127.0.0.1', 'localhost') }
  await changeBot({ ...server, apis }, caller, id, access, null)
  await cure()
  const { api: admin } = await joinProject(server, server.acme, { role: 'admin' })
  await admin.post(`/telegram-bots/${id}/retry`)
  await until(async () => (await contentsOf(ann.person.id)).length === 3)
})

test('new messages do not shorten the pause of a chat after a failure', async t => {
  const { db } = server
  const { ann, id, settled } = await openBot(t, server)
  ann.say('first')
  await settled()
  const pauseChat = () =>
    db`update telegram_chats set due_at = now() + interval '1 hour' where bot_id = ${id} and lease_id is null`
  await until(async () => (await pauseChat()).count === 1)
  ann.say('second')
  await until(async () => (await db`select from telegram_updates where bot_id = ${id}`).count === 2)
  const [chat] =
    await db`select due_at > now() + interval '50 minutes' as waits from telegram_chats where bot_id = ${id}`
  assert.equal(chat!.waits, true)
})
