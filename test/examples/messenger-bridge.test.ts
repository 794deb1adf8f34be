import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createChannel } from '../../src/channels/custom/custom-channels.ts'
import { makeFolder, type Program } from '../run/program.ts'
import { until } from '../until.ts'
import { exampleFile, startExample } from './example.ts'
import { startKillableServer } from './killable-server.ts'
import { startMessenger } from './messenger.ts'
import { type Fault, startProxy } from './proxy.ts'

interface Received {
  id: string
  ticket_id: string
  content: string
  deleted_at: string | null
  media: { url: string }[]
  reply_to_id: string | null
  delivery: { status: string; error: string | null }
}

/** The tests share a server, a messenger and a program, which are stopped in reverse order. */
const ends: (() => unknown)[] = []
after(async () => {
  for (const end of ends.reverse()) await end()
})
const context = { after: (run: () => unknown) => void ends.push(run) }
const desk = await startKillableServer(context)
const { api } = desk
const messenger = await startMessenger(context)
/** A proxy between the program and the server. */
const proxy = await startProxy(context, desk.access.DESKBELL_URL)
const caller = { project: desk.acme, actor: { type: 'cli' } as const }
const channel = await createChannel(desk.db, caller, { name: 'signal', title: 'Signal' })
const settings = {
  ...desk.access,
  DESKBELL_URL: proxy.url,
  DESKBELL_CHANNEL: 'signal',
  MESSENGER_URL: messenger.url,
  POSITION_FILE: join(makeFolder(context), 'bridge.json'),
}
const startBridge = (): Program =>
  startExample(context, 'node', [exampleFile('messenger-bridge/bridge.mjs')], settings)
let bridge = startBridge()

async function killBridge(): Promise<void> {
  bridge.child.kill('SIGKILL')
  await bridge.ended
}

/** The messages of customers in this channel, in the order of their conversation. */
async function listReceived(customer: string): Promise<Received[]> {
  const { body } = await api.get('/tickets?channel=custom:signal&page_size=100')
  const tickets = body.items.filter(
    ({ contact }: { contact: { full_name: string } }) => contact.full_name === `Customer ${customer}`,
  )
  const lists: { body: { items: Received[] } }[] = await Promise.all(
    tickets.map(({ id }: { id: string }) =>
      api.get(`/tickets/${id}/messages?sender_type=contact&page_size=100`),
    ),
  )
  return lists.flatMap(list => list.body.items)
}

const untilReceived = (customer: string, content: string): Promise<Received> =>
  until(async () => (await listReceived(customer)).find(message => message.content === content), 60)

async function answer({ id, ticket_id }: Received, content: string): Promise<Received> {
  const { body } = await api.post(`/tickets/${ticket_id}/messages`, { content, reply_to_id: id })
  return body
}

const read = async ({ id }: { id: string }): Promise<Received> => (await api.get(`/messages/${id}`)).body

const customers = ['a', 'b', 'c']
const rounds = 40

const isIdle = async (): Promise<boolean> => (await api.get('/channels/signal')).body.waiting === 0

/** Kills the program while it waits to repeat a request that has failed in this way. */
async function killAfter(fault: Fault, cause: () => unknown): Promise<void> {
  proxy.fail('POST', fault)
  await cause()
  await until(() => proxy.isDone())
  await killBridge()
}

function sayToAll(text: string): void {
  for (const customer of customers) messenger.say(customer, text)
}

async function answerAll(round: number): Promise<void> {
  for (const customer of customers)
    await answer(await untilReceived(customer, `Question ${round}`), `Answer ${round}`)
}

async function runRound(round: number): Promise<void> {
  sayToAll(`Question ${round}`)
  if (round % 10 === 5) {
    await untilReceived('c', `Question ${round}`)
    messenger.losing = 1
    // The messenger has the replies, but the program cannot report them.
    await killAfter({ status: 503 }, () => answerAll(round))
    bridge = startBridge()
    await until(isIdle)
  }
  if (round % 10 !== 0) return
  await untilReceived('c', `Question ${round}`)
  await killAfter(round === 20 ? { status: 504, isCarriedOut: true } : { status: 503 }, () =>
    sayToAll('One more'),
  )
  if (round === 30) await desk.killAndStart()
  bridge = startBridge()
}

test('messages in both directions arrive once and in order even if the program and the server are killed', async () => {
  for (let round = 1; round <= rounds; round++) await runRound(round)
  const questions = Array.from({ length: rounds }, (_, at) => [
    `Question ${at + 1}`,
    ...(at % 10 === 9 ? ['One more'] : []),
  ]).flat()
  for (const customer of customers) {
    await until(async () => (await listReceived(customer)).length >= questions.length)
    assert.deepEqual(
      (await listReceived(customer)).map(({ content }) => content),
      questions,
    )
    assert.deepEqual(
      messenger.sent.filter(({ to }) => to === customer).map(({ text }) => text),
      ['Answer 5', 'Answer 15', 'Answer 25', 'Answer 35'],
    )
  }
  assert.ok(messenger.repeated >= 8)
  assert.equal((await desk.outsider.get('/tickets')).body.items.length, 0)
})

test("customers' files, edits and deletions are passed on, and replies refer to the messages that they answer", async () => {
  const first = messenger.say('d', 'My parcel', {
    files: [{ url: `${messenger.url}/files/photo.txt`, name: 'photo.txt' }],
  })
  const second = messenger.say('d', 'A secret')
  messenger.add({ type: 'edit', id: first, text: 'My parcel, see the photo' })
  messenger.add({ type: 'deletion', id: second })
  messenger.say('d', 'The last one', { reply_to: first })
  await untilReceived('d', 'The last one')
  const [parcel, secret, last] = await listReceived('d')
  assert.deepEqual([parcel!.content, parcel!.media.length], ['My parcel, see the photo', 1])
  assert.deepEqual([secret!.content, secret!.deleted_at !== null], ['', true])
  assert.equal(last!.reply_to_id, parcel!.id)
  await answer(parcel!, 'Thank you for the photo')
  const sent = await until(() => messenger.sent.find(({ to }) => to === 'd'))
  assert.equal(sent.reply_to, first)
})

test("a reply's delivery is reported, and an edit of the reply reaches the messenger", async () => {
  messenger.say('e', 'Hello')
  const { id } = await answer(await untilReceived('e', 'Hello'), 'Good mornig')
  const sent = await until(() => messenger.sent.find(({ key }) => key === id))
  await until(async () => (await read({ id })).delivery.status === 'sent')
  for (const status of ['delivered', 'read', 'delivered']) messenger.add({ type: 'receipt', key: id, status })
  await until(async () => (await read({ id })).delivery.status === 'read')
  await api.patch(`/messages/${id}`, { content: 'Good morning' })
  await until(() => sent.text === 'Good morning')
})

test("a reply that the messenger refuses fails with the messenger's error, and a retry sends it", async () => {
  messenger.say('f', 'Hello')
  const received = await untilReceived('f', 'Hello')
  messenger.refusing.add('f')
  const { id } = await answer(received, 'Are you there?')
  await until(async () => (await read({ id })).delivery.status === 'failed')
  assert.equal((await read({ id })).delivery.error, 'The customer has blocked you')
  messenger.refusing.clear()
  await api.post(`/messages/${id}/retry`)
  await until(() => messenger.sent.some(({ key }) => key === id))
  await until(async () => (await read({ id })).delivery.status === 'sent')
})

test('a message from a blocked contact is skipped, and messages wait while the channel is paused', async () => {
  messenger.say('g', 'Buy this')
  const { ticket_id } = await untilReceived('g', 'Buy this')
  const { contact_id } = (await api.get(`/tickets/${ticket_id}`)).body
  await api.patch(`/contacts/${contact_id}`, { is_blocked: true })
  messenger.say('g', 'Buy this again')
  const { db } = desk
  const skipped = messenger.say('h', 'Before the pause')
  assert.ok(skipped)
  await untilReceived('h', 'Before the pause')
  assert.equal((await listReceived('g')).length, 1)
  await db`update custom_channels set state = 'paused' where id = ${channel.id}`
  messenger.say('h', 'During the pause')
  await until(() => bridge.stderr.includes('CHANNEL_PAUSED'))
  assert.equal((await listReceived('h')).length, 1)
  await db`update custom_channels set state = 'active' where id = ${channel.id}`
  await untilReceived('h', 'During the pause')
})
