import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { listEvents, makeContact, makeMessage, makeTicket, unique } from '../cast.ts'
import type { Client } from '../client.ts'
import { startServer } from '../server.ts'
import { makePicture } from '../upload.ts'

/** Spec 6.6 as a client of the events sees it. */

const server = await startServer({ delivers: false })
const { api, outsider, db, acme } = server
after(() => server.close())

/** The events that a client receives while `act` runs. Rival must receive none. */
async function read(act: () => Promise<unknown>) {
  const update = (client: Client, after?: number) =>
    client.get(`/updates?timeout=0${after === undefined ? '' : `&after=${after}`}`)
  const [ours, theirs] = [(await update(api)).body.last_seq, (await update(outsider)).body.last_seq]
  await act()
  assert.deepEqual((await update(outsider, theirs)).body.items, [])
  return (await update(api, ours)).body.items
}

const { id: ticket } = await makeTicket(api)

test('spec 6.6.1: message.created includes notes, marked by is_internal', async () => {
  const events = await read(async () => {
    for (const is_internal of [true, false]) await makeMessage(api, ticket, { is_internal })
  })
  assert.deepEqual(
    events.map((event: { type: string; data: { is_internal: boolean } }) => [
      event.type,
      event.data.is_internal,
    ]),
    [
      ['message.created', true],
      ['message.created', false],
    ],
  )
})

test('spec 4.2 POST messages sender, spec 6.6.2: a message through the API has sender type bot, and the project as sender', async () => {
  for (const sender_name of [undefined, 'Robo']) {
    let message: Record<string, unknown> = {}
    const [{ data }] = await read(async () => {
      message = await makeMessage(api, ticket, { sender_name })
    })
    for (const shown of [message, data]) {
      assert.deepEqual([shown.sender_type, shown.sender_id], ['bot', acme.id])
    }
  }
})

test('spec 6.6.3 address, spec 6.6.3 REST: an event contains a chat address of a file, with the same bytes as in the API', async () => {
  const file = await makePicture(api)
  const [{ data }] = await read(() => makeMessage(api, ticket, { media_ids: [file.id] }))
  assert.equal(data.media[0].url, `/api/media/${file.id}`)
  const fetched = await fetch(new URL(data.media[0].url, server.url))
  const { status, headers } = await api.get(`/media/${file.id}`)
  assert.deepEqual([fetched.status, status], [200, 200])
  assert.equal(headers.get('content-length'), String((await fetched.arrayBuffer()).byteLength))
  assert.equal((await outsider.get(`/media/${file.id}`)).status, 404)
})

test('spec 6.6.4: no API operation on a contact emits a contact.* event', async () => {
  const events = await read(async () => {
    const [one, other] = [await makeContact(api), await makeContact(api, { external_id: unique() })]
    await api.post('/contacts', { email: one.email, full_name: 'Ann' })
    await api.patch(`/contacts/${one.id}`, { is_blocked: true, tags: ['vip'] })
    await api.post(`/contacts/${other.id}/merge`, { into_contact_id: one.id })
    await makeTicket(api)
  })
  assert.deepEqual(
    events.map((event: { type: string }) => event.type),
    ['ticket.created'],
  )
  const types = (await listEvents(db, acme)).map(({ type }) => type)
  assert.deepEqual(
    types.filter(type => type.startsWith('contact.')),
    [],
  )
})
