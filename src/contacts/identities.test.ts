import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventsOf, makeContact, makeTicket, typesOf, unique } from '../../test/cast.ts'
import { assertEnvelope } from '../../test/client.ts'
import { makeChannel } from '../../test/custom-channel.ts'
import { joinProject } from '../../test/operator.ts'
import { startServer } from '../../test/server.ts'
import { signIn, switchOn } from '../../test/widget.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db, acme } = server
after(() => server.close())

interface Identity {
  type: string
  value: string
  is_primary: boolean
}

const address = () => `${unique()}@example.com`
const path = (id: string, identity = '') =>
  `/contacts/${id}/identities${identity && `/${encodeURIComponent(identity)}`}`
const add = (id: string, body: object) => api.post(path(id), body)
const change = (id: string, identity: string, body: object) => api.patch(path(id, identity), body)
const remove = (id: string, identity: string) => api.request('DELETE', path(id, identity))
const list = async (id: string): Promise<Identity[]> => (await api.get(path(id))).body.items
const primaryEmail = async (id: string) =>
  (await list(id)).find(one => one.type === 'email' && one.is_primary)?.value ?? null
const emailOf = async (id: string) => (await api.get(`/contacts/${id}`)).body.email

test('the first identity of a type becomes primary and is shown in the contact; others only if chosen', async () => {
  const { id } = await makeContact(api, { email: null, telegram_id: 8_000_001 })
  const [first, second] = [address(), address()]
  const { status, body } = await add(id, { type: 'email', value: first.toUpperCase() })
  assert.equal(status, 201)
  assert.partialDeepStrictEqual(body, { type: 'email', value: first, is_primary: true, is_verified: false })
  assert.equal(await emailOf(id), first)
  assert.equal((await add(id, { type: 'email', value: second })).body.is_primary, false)
  assert.equal(await emailOf(id), first)
  assert.equal((await api.get(`/contacts/email:${second}`)).body.id, id)
  await change(id, `email:${second}`, { is_primary: true })
  assert.deepEqual([await emailOf(id), await primaryEmail(id)], [second, second])
  await change(id, `email:${second}`, { is_primary: false })
  assert.deepEqual([await emailOf(id), await primaryEmail(id)], [null, null])
})

test("adding an identity that the contact already has changes nothing; another contact's is refused with that contact's id", async () => {
  const [one, two] = [await makeContact(api), await makeContact(api)]
  const before = await list(one.id)
  assert.equal((await add(one.id, { type: 'email', value: one.email })).status, 201)
  assert.deepEqual(await list(one.id), before)
  const detail = { field: 'value', reason: 'identifier_taken', contact_id: two.id }
  const refused = await add(one.id, { type: 'email', value: two.email })
  assertEnvelope(refused, 422, 'VALIDATION_ERROR', detail)
  const theirs = await makeContact(outsider)
  assert.equal((await add(one.id, { type: 'email', value: theirs.email })).status, 201)
  assert.equal((await outsider.get(`/contacts/${theirs.id}`)).body.email, theirs.email)
})

test('a value that is not valid for its type is refused', async () => {
  const { id } = await makeContact(api)
  const wrong = {
    email: ['ann', 'a@b'],
    telegram: ['0', 'x', '1.5', '99999999999999999999'],
    external: [' '],
  }
  for (const [type, values] of Object.entries({ ...wrong, channel: ['x:1'] }))
    for (const value of values)
      assertEnvelope(await add(id, { type, value }), 422, 'VALIDATION_ERROR', {
        ...{ field: 'value', reason: 'not_an_identity' },
      })
})

test('of contacts that are given the same identity at the same time, one gets it; repeated requests add it once', async () => {
  const contacts = await Promise.all(Array.from({ length: 6 }, () => makeContact(api)))
  const value = address()
  const answers = await Promise.all(contacts.map(({ id }) => add(id, { type: 'email', value })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422, 422, 422, 422])
  const { id } = contacts[0]!
  const other = address()
  const equal = await Promise.all(Array.from({ length: 6 }, () => add(id, { type: 'email', value: other })))
  assert.deepEqual(
    equal.map(({ status }) => status),
    Array(6).fill(201),
  )
  assert.equal((await list(id)).filter(one => one.value === other).length, 1)
  assert.equal((await list(id)).filter(one => one.type === 'email' && one.is_primary).length, 1)
})

test('a corrected identity stays primary, but is no longer verified; the old value belongs to nobody', async () => {
  const { id, email } = await makeContact(api)
  await change(id, `email:${email}`, { is_verified: true, reason: 'Called back' })
  const value = address()
  const { body } = await change(id, `email:${email}`, { value })
  assert.partialDeepStrictEqual(body, { value, is_primary: true, is_verified: false, verified_reason: null })
  assert.equal(await emailOf(id), value)
  assertEnvelope(await api.get(`/contacts/email:${email}`), 404, 'CONTACT_NOT_FOUND')
  const { id: other } = await makeContact(api)
  assert.equal((await add(other, { type: 'email', value: email })).status, 201)
  const detail = { field: 'value', reason: 'identifier_taken', contact_id: other }
  assertEnvelope(await change(id, `email:${value}`, { value: email }), 422, 'VALIDATION_ERROR', detail)
})

test('when the primary identity is removed, a verified one replaces it, otherwise the oldest; the tickets stay', async () => {
  const { id, email } = await makeContact(api)
  await makeTicket(api, { contact: { email } })
  const [second, third] = [address(), address()]
  await add(id, { type: 'email', value: second })
  await add(id, { type: 'email', value: third, is_verified: true, reason: 'Showed the inbox' })
  assert.equal((await remove(id, `email:${email}`)).status, 204)
  assert.deepEqual([await emailOf(id), await primaryEmail(id)], [third, third])
  await remove(id, `email:${third}`)
  assert.equal(await emailOf(id), second)
  await remove(id, `email:${second}`)
  const { body } = await api.get(`/contacts/${id}`)
  assert.deepEqual([body.email, body.identities, body.tickets_count], [null, [], 1])
  assertEnvelope(await remove(id, `email:${second}`), 404, 'IDENTITY_NOT_FOUND')
})

test('an identity can be marked as verified only with a reason, and the list says who did it, when and why', async () => {
  const { id, email } = await makeContact(api)
  const identity = `email:${email}`
  for (const body of [{ is_verified: true }, { is_verified: true, reason: ' ' }])
    assertEnvelope(await change(id, identity, body), 422, 'VALIDATION_ERROR', {
      ...{ field: 'reason', reason: 'required' },
    })
  const { body } = await change(id, identity, { is_verified: true, reason: 'Called back' })
  assert.partialDeepStrictEqual(body, {
    ...{
      is_verified: true,
      verified_how: 'person',
      verified_reason: 'Called back',
      verified_by: { type: 'api' },
    },
  })
  assert.match(body.verified_at, /^\d{4}-/)
  assert.equal((await api.get(`/contacts/${id}`)).body.identities[0].is_verified, true)
  const again = (await change(id, identity, { is_verified: true, reason: 'Other' })).body
  assert.equal(again.verified_reason, 'Called back')
  const taken = (await change(id, identity, { is_verified: false })).body
  assert.deepEqual([taken.is_verified, taken.verified_how, taken.verified_at], [false, null, null])
})

test('changes of identities emit no events and are in the audit log, without the values', async () => {
  const { id } = await makeContact(api)
  const value = address()
  const types = await typesOf(server, async () => {
    await add(id, { type: 'email', value })
    await change(id, `email:${value}`, { is_verified: true, reason: 'Called back' })
    await remove(id, `email:${value}`)
  })
  assert.deepEqual(types, [])
  const rows = await db`select action, detail::text from audit_entries
    where project_id = ${acme.id} and target_id = ${id} order by created_at, id`
  assert.deepEqual(rows.map(({ action }) => action).toSorted(), [
    'identity.added',
    'identity.changed',
    'identity.removed',
    'identity.verified',
  ])
  assert.ok(rows.every(({ detail }) => !detail.includes(value)))
})

test('another project can neither read nor change an identity', async () => {
  const { id, email } = await makeContact(api)
  const { id: rivals } = await makeContact(outsider)
  const events = await eventsOf(server, async () => {
    assertEnvelope(await outsider.get(path(id)), 404, 'CONTACT_NOT_FOUND')
    assertEnvelope(await outsider.patch(path(id, `email:${email}`), {}), 404, 'CONTACT_NOT_FOUND')
    assertEnvelope(
      await outsider.request('DELETE', path(rivals, `email:${email}`)),
      404,
      'IDENTITY_NOT_FOUND',
    )
    assertEnvelope(
      await outsider.post(path(id), { type: 'email', value: address() }),
      404,
      'CONTACT_NOT_FOUND',
    )
  })
  assert.deepEqual(events, [])
  assert.equal(await emailOf(id), email)
})

test('messages of a custom channel go to the contact that was given the identity, and the channel must exist', async () => {
  const admin = await joinProject(server, acme, { role: 'admin' })
  const { channel, post } = await makeChannel(admin.api, api)
  const value = `${channel.id}:person-1`
  const { id } = await makeContact(api)
  assert.equal((await add(id, { type: 'channel', value })).status, 201)
  const { body } = await post('person-1', 'Hello')
  assert.equal((await api.get(`/tickets/${body.ticket_id}`)).body.contact_id, id)
  const theirs = await makeContact(outsider)
  const foreign = await outsider.post(path(theirs.id), { type: 'channel', value })
  assertEnvelope(foreign, 422, 'VALIDATION_ERROR', { field: 'value', reason: 'not_found' })
})

test('a contact can be signed out of the website chat in one browser', async () => {
  await switchOn(server, acme)
  const email = address()
  const [phone, laptop] = [await signIn(server, { email }), await signIn(server, { email })]
  const { id } = (await api.get(`/contacts/email:${email}`)).body
  const other = await makeContact(api)
  for (const [contact, browser] of [[other.id, phone.id] as const, [id, 'x'] as const])
    assertEnvelope(await remove(contact, `visitor:${browser}`), 404, 'IDENTITY_NOT_FOUND')
  assert.equal((await phone.api.get('/tickets')).status, 200)
  assert.equal((await remove(id, `visitor:${phone.id}`)).status, 204)
  assert.deepEqual(
    [(await phone.api.get('/tickets')).status, (await laptop.api.get('/tickets')).status],
    [401, 200],
  )
})
