import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { until } from '../until.ts'
import { makeGroup, makePerson, Participant } from './people.ts'
import { limits } from './refusals.ts'
import { type StandIn, startStandIn } from './stand-in.ts'
import { addFile, type Bot } from './world.ts'

/** The stand-in refuses what Telegram refuses. */

let standIn: StandIn
let bot: Bot
let ann: Participant

before(async () => {
  standIn = await startStandIn()
  bot = standIn.addBot()
  ann = new Participant(standIn.world, bot, makePerson())
  ann.start()
})
after(() => standIn.close())

async function call(method: string, params: object | FormData = {}, token = bot.token) {
  const isForm = params instanceof FormData
  const response = await fetch(`${standIn.url}/bot${token}/${method}`, {
    method: 'POST',
    body: isForm ? params : JSON.stringify(params),
    ...(!isForm && { headers: { 'content-type': 'application/json' } }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
  const body: any = await response.json()
  assert.equal(response.status, body.ok ? 200 : body.error_code)
  return body
}

const refusalOf = async (method: string, params: object, token?: string): Promise<string> =>
  (await call(method, params, token)).description

const toAnn = () => ({ chat_id: ann.chat.id })

test('an unknown token and an unknown method are refused', async () => {
  assert.equal(await refusalOf('getMe', {}, `1:${'A'.repeat(35)}`), 'Unauthorized')
  assert.equal(await refusalOf('getMe', {}, 'nonsense'), 'Not Found')
  assert.equal(await refusalOf('sendNothing', {}), 'Not Found')
  assert.equal((await call('GETME')).result.username, bot.user.username)
})

test('an update is returned until a higher offset confirms it', async () => {
  const message = ann.say('Hello')
  const { result } = await call('getUpdates', { timeout: 0 })
  const last = result.at(-1)
  assert.equal(last.message.message_id, message.message_id)
  assert.deepEqual((await call('getUpdates', {})).result, result)
  assert.deepEqual((await call('getUpdates', { offset: last.update_id + 1 })).result, [])
})

test('a second getUpdates ends the first one with 409', async () => {
  const first = call('getUpdates', { timeout: 20 })
  await until(() => bot.poller !== null)
  const second = call('getUpdates', { timeout: 20 })
  assert.match((await first).description, /^Conflict: terminated by other getUpdates request/)
  ann.say('Again')
  assert.equal((await second).result.length, 1)
})

test('texts and captions have limits in UTF-16 code units', async () => {
  assert.equal(limits.text.max, 4096)
  assert.equal(
    await refusalOf('sendMessage', { ...toAnn(), text: ' ' }),
    'Bad Request: message text is empty',
  )
  assert.equal(
    await refusalOf('sendMessage', { ...toAnn(), text: 'a'.repeat(4097) }),
    'Bad Request: message is too long',
  )
  assert.equal((await call('sendMessage', { ...toAnn(), text: '😀'.repeat(2048) })).ok, true)
  const file = addFile(standIn.world, 'a.txt', 'text/plain', Buffer.from('x'))
  assert.equal(
    await refusalOf('sendDocument', { ...toAnn(), document: file.id, caption: 'a'.repeat(1025) }),
    'Bad Request: message caption is too long',
  )
})

test('entities must be within the text, and must not split characters or overlap', async () => {
  const send = (text: string, ...entities: object[]) =>
    refusalOf('sendMessage', { ...toAnn(), text, entities })
  const bold = (offset: number, length: number) => ({ type: 'bold', offset, length })
  assert.equal(await send('abc', bold(0, 4)), 'Bad Request: ENTITY_BOUNDS_INVALID')
  assert.equal(await send('😀b', bold(1, 2)), 'Bad Request: ENTITY_BOUNDS_INVALID')
  assert.match(await send('abcdef', bold(0, 3), { ...bold(2, 3), type: 'italic' }), /overlap/)
  assert.match(await send('abc', { ...bold(0, 3), type: 'code' }, bold(0, 2)), /code can't contain/)
  assert.equal(
    await send('abc', { ...bold(0, 3), type: 'text_link', url: 'nowhere' }),
    'Bad Request: ENTITY_TEXTURL_INVALID',
  )
  assert.equal(await send('😀b', bold(0, 2)), undefined)
})

test('files can be uploaded, and downloaded up to a size limit', async () => {
  standIn.world.isLocal = false
  const form = new FormData()
  form.append('chat_id', String(ann.chat.id))
  form.append('document', new Blob(['some text']), 'notes.txt')
  const { result } = await call('sendDocument', form)
  assert.equal(result.document.file_name, 'notes.txt')
  const { file_path } = (await call('getFile', { file_id: result.document.file_id })).result
  const download = await fetch(`${standIn.url}/file/bot${bot.token}/${file_path}`)
  assert.equal(await download.text(), 'some text')
  const large = addFile(
    standIn.world,
    'large.bin',
    'application/octet-stream',
    Buffer.alloc(20 * 1024 * 1024 + 1),
  )
  assert.equal(await refusalOf('getFile', { file_id: large.id }), 'Bad Request: file is too big')
  standIn.world.isLocal = true
})

test('an album has 2 to 10 items of compatible types', async () => {
  const image = await sharp({ create: { width: 20, height: 20, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const { id } = addFile(standIn.world, 'red.png', 'image/png', image)
  const photo = { type: 'photo', media: id }
  const send = (media: object[]) => call('sendMediaGroup', { ...toAnn(), media })
  assert.equal((await send([photo])).description, 'Bad Request: there are no messages to send')
  assert.equal(
    (await send(Array(11).fill(photo))).description,
    'Bad Request: too many messages to send as an album',
  )
  assert.match((await send([photo, { type: 'document', media: id }])).description, /different types/)
  const { result } = await send([photo, photo])
  assert.equal(result[0].media_group_id, result[1].media_group_id)
})

test('a message above the rate limit is refused with the seconds to wait', async t => {
  // Otherwise, the second message may come a second later, when the chat can get another one.
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  standIn.world.floods = { chatBurst: 1, groupPerMinute: 20, botPerSecond: 30 }
  await call('sendMessage', { ...toAnn(), text: 'one' })
  const refused = await call('sendMessage', { ...toAnn(), text: 'two' })
  assert.deepEqual([refused.error_code, refused.parameters], [429, { retry_after: 1 }])
  standIn.world.floods = null
})

test('a bot cannot write to people who have not started it or have blocked it', async () => {
  assert.match(await refusalOf('sendMessage', { chat_id: 77, text: 'Hi' }), /^Forbidden: bot can't initiate/)
  const ben = new Participant(standIn.world, bot, makePerson({ first_name: 'Ben' }))
  ben.start()
  ben.block()
  const toBen = { chat_id: ben.chat.id, text: 'Hi' }
  assert.equal(await refusalOf('sendMessage', toBen), 'Forbidden: bot was blocked by the user')
  ben.unblock()
  assert.equal((await call('sendMessage', toBen)).ok, true)
})

test('a group that became a supergroup has a new id', async () => {
  const group = new Participant(standIn.world, bot, makePerson(), makeGroup('Team'))
  group.say('Hello')
  const moved = group.migrate()
  const refused = await call('sendMessage', { chat_id: group.chat.id, text: 'Hi' })
  assert.deepEqual(refused.parameters, { migrate_to_chat_id: moved.chat.id })
})

test('messages can be edited, but an edit without a change is refused', async () => {
  const { message_id } = (await call('sendMessage', { ...toAnn(), text: 'first' })).result
  const edit = (text: string) => call('editMessageText', { ...toAnn(), message_id, text })
  assert.equal((await edit('second')).result.text, 'second')
  assert.match((await edit('second')).description, /message is not modified/)
})

test('a bot can set only one reaction per message, with an allowed emoji', async () => {
  const { message_id } = ann.say('React to this')
  const react = (...emojis: string[]) =>
    call('setMessageReaction', {
      ...toAnn(),
      message_id,
      reaction: emojis.map(emoji => ({ type: 'emoji', emoji })),
    })
  assert.equal((await react('👍', '👎')).description, 'Bad Request: REACTIONS_TOO_MANY')
  assert.equal((await react('🧀')).description, 'Bad Request: REACTION_INVALID')
  assert.equal((await react('👍')).ok, true)
  assert.deepEqual(ann.state.botReactions.get(message_id), ['👍'])
})

test('a webhook gets each update with its secret until it accepts it, and rules out getUpdates', async t => {
  const seen: IncomingMessage[] = []
  const target = createServer((request, response) => {
    seen.push(request)
    response.writeHead(seen.length < 3 ? 503 : 200).end()
  }).listen(0, '127.0.0.1')
  t.after(() => target.close())
  await once(target, 'listening')
  const address = target.address()
  const port = typeof address === 'object' ? address?.port : 0
  await call('getUpdates', { offset: 1e12 })
  await call('setWebhook', { url: `http://127.0.0.1:${port}/hook`, secret_token: 's-3_cret' })
  assert.match(
    await refusalOf('getUpdates', {}),
    /^Conflict: can't use getUpdates method while webhook is active/,
  )
  ann.say('By webhook')
  await until(() => bot.updates.length === 0)
  assert.equal(seen.length, 3)
  assert.equal(seen[0]!.headers['x-telegram-bot-api-secret-token'], 's-3_cret')
  const { last_error_message } = (await call('getWebhookInfo')).result
  assert.equal(last_error_message, 'Wrong response from the webhook: 503 Service Unavailable')
  await call('deleteWebhook')
  standIn.world.isLocal = false
  assert.match(await refusalOf('setWebhook', { url: 'http://example.com/' }), /An HTTPS URL must be provided/)
  assert.match(
    await refusalOf('setWebhook', { url: 'https://example.com:444/' }),
    /only on ports 80, 88, 443 or 8443/,
  )
  standIn.world.isLocal = true
})

test('a connection can be cut before or after a call takes effect', async () => {
  const before = ann.received.length
  standIn.world.findFault = ({ method }) => (method === 'sendMessage' ? 'cut_before' : undefined)
  await assert.rejects(call('sendMessage', { ...toAnn(), text: 'lost' }))
  assert.equal(ann.received.length, before)
  standIn.world.findFault = ({ method }) => (method === 'sendMessage' ? 'cut_after' : undefined)
  await assert.rejects(call('sendMessage', { ...toAnn(), text: 'sent' }))
  assert.equal(ann.received.length, before + 1)
  standIn.world.findFault = () => undefined
})
