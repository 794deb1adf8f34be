import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { listMessages, openBot } from '../../../../test/telegram/bots.ts'
import { makeGroup, makePerson, Participant } from '../../../../test/telegram/people.ts'
import { until } from '../../../../test/until.ts'
import { describeMessage, isServiceMessage } from './describe-message.ts'
import { formatText } from './format-text.ts'

/** Every kind of message arrives: files, albums, formatting, groups. */

let server: TestServer
let picture: Buffer

before(async () => {
  server = await startServer({ delivers: false })
  picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'green' } })
    .jpeg()
    .toBuffer()
})
after(() => server.close())

const upload = (name = 'a.jpg', content = picture) => ({ name, type: 'image/jpeg', content })

async function messageOf(telegramId: number) {
  const [message] = await listMessages(server, telegramId)
  return (await server.api.get(`/messages/${message!.id}`)).body
}

test('a photo arrives with its caption, and a document with its name', async t => {
  const { ann, settled } = await openBot(t, server)
  await ann.file('photo', upload(), { caption: 'Broken' })
  await ann.file('document', { name: 'invoice.txt', type: 'text/plain', content: Buffer.from('7 EUR') })
  await settled()
  const [first, second] = await listMessages(server, ann.person.id)
  const { body } = await server.api.get(`/messages/${first!.id}`)
  assert.equal(body.content, 'Broken')
  assert.partialDeepStrictEqual(body.media[0], { kind: 'image', width: 40, height: 30 })
  assert.equal((await server.api.get(`/messages/${second!.id}`)).body.media[0].filename, 'invoice.txt')
})

test('an album becomes one message, and a late part is added to it', async t => {
  const { ann, settled } = await openBot(t, server)
  const parts = await ann.album([
    { kind: 'photo', upload: upload('1.jpg'), caption: 'Three pictures' },
    { kind: 'photo', upload: upload('2.jpg') },
  ])
  await until(async () => (await listMessages(server, ann.person.id)).length > 0)
  assert.equal((await messageOf(ann.person.id)).media.length, 2)
  await ann.file('photo', upload('3.jpg'), { media_group_id: parts[0]!.media_group_id })
  await settled()
  assert.equal((await listMessages(server, ann.person.id)).length, 1)
  const { content, media } = await messageOf(ann.person.id)
  assert.deepEqual([content, media.length], ['Three pictures', 3])
})

test('a file that is too large for bots is named with its size', async t => {
  const { standIn, ann, settled } = await openBot(t, server)
  standIn.world.isLocal = false
  const content = Buffer.alloc(20 * 1024 * 1024 + 1)
  await ann.file('document', { name: 'film.bin', type: 'application/octet-stream', content })
  await settled()
  const { content: text, media } = await messageOf(ann.person.id)
  assert.deepEqual([text, media], ['📎 film.bin (20.0 MB)', []])
})

test('a message whose file could not be fetched arrives once the server works again, before the next message', async t => {
  const { standIn, ann, settled } = await openBot(t, server)
  let failures = 0
  standIn.world.findFault = ({ method }) =>
    method === 'getFile' && failures++ < 1 ? 'cut_before' : undefined
  await ann.file('photo', upload(), { caption: 'first' })
  ann.say('second')
  await settled()
  const messages = await listMessages(server, ann.person.id)
  assert.deepEqual(
    messages.map(({ content }) => content),
    ['first', 'second'],
  )
  assert.equal(failures > 1, true)
})

const base = { message_id: 1, date: 1, chat: { id: 5, type: 'private' as const, first_name: 'Ann' } }

test('locations, contacts, polls and dice are described in words, and unknown kinds are named', () => {
  const describe = (fields: object) => describeMessage({ ...base, ...fields }).content
  assert.match(describe({ location: { latitude: 52.5, longitude: 13.4 } }), /^📍 52\.5, 13\.4\nhttps:/)
  assert.equal(describe({ contact: { phone_number: '+49', first_name: 'Ben' } }), '👤 Ben +49')
  assert.equal(describe({ dice: { emoji: '🎲', value: 4 } }), '🎲 4')
  const options = [{ text: 'Yes' }, { text: 'No' }]
  assert.equal(describe({ poll: { question: 'Again?', options } }), '📊 Again?\n- Yes\n- No')
  assert.equal(describe({ story: { id: 1 } }), '[story]')
  assert.equal(describe({ something_of_tomorrow: {} }), '[something of tomorrow]')
  assert.equal(describe({ photo: [] }), '')
  assert.ok(isServiceMessage({ ...base, new_chat_title: 'x' }))
  assert.ok(!isServiceMessage({ ...base, text: 'x' }))
})

test('formatting becomes HTML, special characters are escaped, and dangerous links are dropped', () => {
  const link = (url: string) => formatText('see it', [{ type: 'text_link', offset: 0, length: 3, url }])
  assert.equal(formatText('plain https://a.example', [{ type: 'url', offset: 6, length: 17 }]), null)
  assert.equal(
    formatText('a <b> c', [{ type: 'bold', offset: 2, length: 3 }]),
    '<p>a <strong>&lt;b&gt;</strong> c</p>',
  )
  assert.match(link('https://a.example/"x') ?? '', /^<p><a href="https:\/\/a\.example\/&quot;x" rel=/)
  assert.equal(link('javascript:alert(1)'), '<p>see it</p>')
  const nested = formatText('one two', [
    { type: 'bold', offset: 0, length: 7 },
    { type: 'italic', offset: 4, length: 3 },
  ])
  assert.equal(nested, '<p><strong>one <em>two</em></strong></p>')
})

test('in a group, the bot says once that it does not read groups', async t => {
  const { standIn, bot, settled, id } = await openBot(t, server)
  const group = new Participant(standIn.world, bot, makePerson(), makeGroup('Team'))
  group.say('/help')
  group.say('Hello?')
  await settled()
  await until(() => group.received.length > 0)
  assert.equal(group.received.length, 1)
  const rows = await server.db`select distinct outcome from telegram_updates where bot_id = ${id}`
  assert.deepEqual(
    rows.map(({ outcome }) => outcome),
    ['groups_off'],
  )
})

test("a group is one contact, its messages have their authors' names, and each topic has its own ticket", async t => {
  const { standIn, bot, settled, id } = await openBot(t, server, { takes_groups: true })
  const chat = makeGroup('Team', true)
  const [ann, ben] = ['Ann', 'Ben'].map(
    first_name => new Participant(standIn.world, bot, makePerson({ first_name }), chat),
  )
  const topic = { is_topic_message: true, message_thread_id: 7 }
  ann!.say('The printer is on fire')
  ben!.say('It is')
  ben!.say('Another matter', undefined, topic)
  await settled()
  const rows = await server.db`
    select m.content, m.sender_name, m.ticket_id, c.full_name from telegram_chats k
      join tickets t on t.contact_id = k.contact_id join messages m on m.ticket_id = t.id join contacts c on c.id = k.contact_id
    where k.bot_id = ${id} order by m.created_at, m.id`
  assert.deepEqual(
    rows.map(({ content, sender_name, full_name }) => [content, sender_name, full_name]),
    [
      ['The printer is on fire', 'Ann', 'Team'],
      ['It is', 'Ben', 'Team'],
      ['Another matter', 'Ben', 'Team'],
    ],
  )
  assert.equal(rows[0]!.ticket_id, rows[1]!.ticket_id)
  assert.notEqual(rows[2]!.ticket_id, rows[0]!.ticket_id)
})

test('a group that becomes a supergroup keeps its contact and its ticket', async t => {
  const { standIn, bot, settled, id } = await openBot(t, server, { takes_groups: true })
  const group = new Participant(standIn.world, bot, makePerson(), makeGroup('Team'))
  group.say('before')
  const moved = group.migrate()
  moved.say('after')
  await settled()
  const rows = await server.db`
    select m.content, m.ticket_id from telegram_messages t join messages m on m.id = t.message_id
      join telegram_chats c on c.id = t.chat_id
    where c.bot_id = ${id} order by m.created_at, m.id`
  assert.deepEqual(
    rows.map(({ content }) => content),
    ['before', 'after'],
  )
  assert.equal(rows[0]!.ticket_id, rows[1]!.ticket_id)
  assert.equal((await server.db`select from telegram_chats where bot_id = ${id}`).length, 1)
})
