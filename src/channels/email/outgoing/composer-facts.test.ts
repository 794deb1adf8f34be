import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openMailbox, type Receiving, startReceiving } from '../../../../test/mail/receiving.ts'
import { joinProject, type Person } from '../../../../test/operator.ts'

/** What the dashboard needs to know while someone is writing an email. */

const support = 'support@acme.example'
let receiving: Receiving
let omar: Person
let rita: Person

before(async () => {
  receiving = await startReceiving()
  const { server } = receiving
  omar = await joinProject(server, server.acme, { name: 'Omar' })
  rita = await joinProject(server, server.rival, { name: 'Rita' })
})
after(() => receiving.close())

test('operators see which mailboxes can send, but not their settings', async () => {
  const { db } = receiving.server
  const boxes = [
    await openMailbox(receiving, support, { name: 'Acme' }),
    await openMailbox(receiving, 'paused@acme.example'),
    await openMailbox(receiving, 'silent@acme.example'),
  ]
  await db`update mailboxes set sending = 'installation' where address in (${support}, 'paused@acme.example')`
  await db`update mailboxes set state = 'paused' where address = 'paused@acme.example'`
  const { status, body } = await omar.api.get('/mailboxes/choices')
  assert.equal(status, 200)
  assert.deepEqual(
    body.items,
    boxes.map(({ id, address }, at) => ({ id, address, name: at === 0 ? 'Acme' : '', can_send: at === 0 })),
  )
  assert.deepEqual((await rita.api.get('/mailboxes/choices')).body.items, [])
})

const lookUp = async (person: Person, ...addresses: string[]) =>
  (
    await person.api.get(
      `/email-addresses?${addresses.map(one => `address=${encodeURIComponent(one)}`).join('&')}`,
    )
  ).body.items

test('recognises contacts, undeliverable addresses and the project’s own addresses', async () => {
  const { api, db } = receiving.server
  await api.post('/contacts', { email: 'ann@example.com', full_name: 'Ann Lee' })
  await api.post('/contacts', { email: 'ben@example.com' })
  await db`update contact_identities set is_undeliverable = true where value = 'ben@example.com'`
  const nothing = { name: null, is_own: false, is_undeliverable: false }
  assert.deepEqual(
    await lookUp(omar, 'Ann@Example.com', 'ben@example.com', 'support+r.1@acme.example', 'eva@example.com'),
    [
      { ...nothing, address: 'Ann@Example.com', name: 'Ann Lee' },
      { ...nothing, address: 'ben@example.com', is_undeliverable: true },
      { ...nothing, address: 'support+r.1@acme.example', is_own: true },
      { ...nothing, address: 'eva@example.com' },
    ],
  )
  assert.deepEqual(await lookUp(rita, 'ann@example.com', 'ben@example.com', support), [
    { ...nothing, address: 'ann@example.com' },
    { ...nothing, address: 'ben@example.com' },
    { ...nothing, address: support },
  ])
})
