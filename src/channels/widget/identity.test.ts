import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventsOf, listEvents, typesOf, unique } from '../../../test/cast.ts'
import { assertEnvelope } from '../../../test/client.ts'
import type { TestServer } from '../../../test/server.ts'
import {
  ask,
  atWidget,
  begin,
  inAnHour,
  makeJwt,
  secret,
  sign,
  signIn,
  startChat,
  switchOn,
} from '../../../test/widget.ts'
import { widgetSecretLabel } from './choices.ts'

let server: TestServer
before(async () => {
  server = await startChat()
  await switchOn(server, server.acme)
  await switchOn(server, server.rival)
})
after(() => server.close())

const identify = (body: object, token?: string) =>
  atWidget(server, server.acme, token).post('/identify', body)

const refused = async (body: object, code: string, reason: string) =>
  assertEnvelope(await identify(body), 403, code, { reason })

test('the first identification emits contact.created and contact.identified, later ones only contact.identified', async () => {
  const id = unique()
  const user = { id, email: `${id}@example.com`, name: 'Vera' }
  const events = await eventsOf(server, () => signIn(server, user))
  assert.deepEqual(
    events.map(({ type }) => type),
    ['contact.created', 'contact.identified'],
  )
  const { id: contactId } = events[0]!.data
  const identity = {
    id: contactId,
    internal_id: contactId,
    external_id: id,
    email: user.email,
    full_name: 'Vera',
    phone: null,
    telegram_id: null,
  }
  assert.deepEqual(
    events.map(({ data }) => data),
    [identity, identity],
  )
  assert.deepEqual(await typesOf(server, () => signIn(server, user)), ['contact.identified'])
  const { body } = await server.api.get(`/contacts/external:${id}`)
  assert.deepEqual([body.id, body.source], [contactId, 'widget'])
})

test('a token proves every identity that it contains', async () => {
  const sub = unique()
  const claims = { sub, email: `${sub}@example.com`, name: 'Vera', phone: '+49 30 1', telegram_id: 4242 }
  const { status, body } = await identify({ token: makeJwt(claims) })
  assert.deepEqual([status, body.visitor.is_verified, body.visitor.email], [200, true, claims.email])
  const contact = (await server.api.get(`/contacts/email:${claims.email}`)).body
  assert.deepEqual([contact.external_id, contact.phone, contact.telegram_id], [sub, claims.phone, 4242])
})

test('refuses a signature that was forged or made for another user', async () => {
  const user = { id: unique() }
  for (const signature of [sign(user, 'ws_another'), sign({ id: unique() }), 'x', sign({ id: '' })])
    await refused({ user, signature }, 'SIGNATURE_INVALID', 'signature')
  await refused(
    { user: { ...user, email: 'ann@example.com' }, signature: sign({ email: 'ann@example.com' }) },
    'SIGNATURE_INVALID',
    'signature',
  )
  assert.equal((await server.api.get(`/contacts/external:${user.id}`)).status, 404)
})

test('refuses a token that was forged, has expired, is valid too long or has another algorithm', async () => {
  const sub = unique()
  const wrong: [string, string][] = [
    [makeJwt({ sub }, { key: 'ws_another' }), 'signature'],
    [makeJwt({ sub, exp: inAnHour() - 7_200 }), 'expired'],
    [makeJwt({ sub, exp: inAnHour() + 25 * 3_600 }), 'exp_too_late'],
    [makeJwt({ sub, exp: undefined }), 'exp_missing'],
    [makeJwt({ sub, nbf: inAnHour() }), 'not_yet'],
    [makeJwt({ sub }, { head: { alg: 'none' } }), 'not_hs256'],
    [makeJwt({ sub }, { head: { alg: 'HS512' } }), 'not_hs256'],
    [makeJwt({}), 'nobody'],
    [`${makeJwt({ sub }).split('.').slice(0, 2).join('.')}.`, 'signature'],
    [secret, 'not_a_token'],
  ]
  for (const [token, reason] of wrong) await refused({ token }, 'SIGNATURE_INVALID', reason)
  assert.equal((await server.api.get(`/contacts/external:${sub}`)).status, 404)
})

test('refuses unproved identities while signatures are required', async () => {
  await refused({ user: { id: unique() } }, 'SIGNATURE_REQUIRED', 'not_signed')
  await server.db`update widgets set secret = null where project_id = ${server.acme.id}`
  await refused({ user: { id: 'x' }, signature: sign({ id: 'x' }) }, 'SIGNATURE_REQUIRED', 'no_secret')
  await switchOn(server, server.acme)
})

test("where unsigned identities are allowed, an unproved visitor sees only the visitor's own tickets", async context => {
  const id = unique()
  const real = await signIn(server, { id })
  const theirs = await ask(real)
  await switchOn(server, server.acme, { requires_signature: false })
  context.after(() => switchOn(server, server.acme))
  const { status, body } = await identify({ user: { id, name: 'Mallory' } })
  assert.deepEqual([status, body.visitor.is_verified, body.visitor.email], [200, false, null])
  const api = atWidget(server, server.acme, body.token)
  assert.deepEqual((await api.get('/tickets')).body.items, [])
  assertEnvelope(await api.get(`/tickets/${theirs.id}`), 404, 'TICKET_NOT_FOUND')
  assert.equal(
    (await server.api.get(`/contacts/external:${id}`)).body.full_name,
    null,
    'it renamed the contact',
  )
})

test("identifying moves the anonymous visitor's tickets to the contact and keeps the token", async () => {
  const guest = await begin(server)
  const ticket = await ask(guest)
  const id = unique()
  const known = await signIn(server, { id }, { guest })
  assert.deepEqual([known.token, known.response.is_new_visitor], [guest.token, false])
  assert.deepEqual(
    (await known.api.get('/tickets')).body.items.map((one: { id: string }) => one.id),
    [ticket.id],
  )
  const { body } = await server.api.get(`/tickets/${ticket.id}`)
  assert.equal(body.contact_id, (await server.api.get(`/contacts/external:${id}`)).body.id)
  const elsewhere = await signIn(server, { id })
  assert.equal((await elsewhere.api.get('/tickets')).body.items[0].id, ticket.id)
})

test('a second person in the same browser becomes a new visitor and sees nothing of the first', async () => {
  const first = await signIn(server, { id: unique() })
  const ticket = await ask(first)
  const second = await signIn(server, { id: unique() }, { guest: first })
  assert.notEqual(second.token, first.token)
  assert.equal(second.response.is_new_visitor, true)
  assert.deepEqual((await second.api.get('/tickets')).body.items, [])
  assertEnvelope(await second.api.get(`/tickets/${ticket.id}`), 404, 'TICKET_NOT_FOUND')
  assert.equal((await first.api.get(`/tickets/${ticket.id}`)).status, 200)
})

test("claiming another contact's address shows none of that contact's tickets", async () => {
  const email = `${unique()}@example.com`
  const { body: theirs } = await server.api.post('/tickets', { contact: { email }, content: 'Secret' })
  const id = unique()
  const claimed = await signIn(server, { id, email })
  const typed = await begin(server)
  await switchOn(server, server.acme, {
    prechat_fields: [{ key: 'email', type: 'email', labels: {}, is_required: true }],
  })
  await ask(typed, { fields: { email } })
  await switchOn(server, server.acme)
  for (const { api } of [claimed, typed]) {
    assertEnvelope(await api.get(`/tickets/${theirs.id}`), 404, 'TICKET_NOT_FOUND')
    assert.ok(!(await api.get('/tickets')).text.includes(theirs.id))
  }
  assert.equal((await typed.api.get('/session')).body.email, null)
})

test('claiming an address without proof gives no access to later tickets of that address', async () => {
  const email = `${unique()}@example.com`
  const mallory = await signIn(server, { id: unique(), email })
  const { body: later } = await server.api.post('/tickets', { contact: { email }, content: 'Secret' })
  assertEnvelope(await mallory.api.get(`/tickets/${later.id}`), 404, 'TICKET_NOT_FOUND')
})

test('refuses a token that was deleted or belongs to another project', async () => {
  const guest = await begin(server)
  await ask(guest)
  assertEnvelope(await atWidget(server, server.rival, guest.token).get('/tickets'), 401, 'VISITOR_UNKNOWN')
  assert.equal((await guest.api.delete('/session')).status, 204)
  assertEnvelope(await guest.api.get('/tickets'), 401, 'VISITOR_UNKNOWN')
  assertEnvelope(await atWidget(server, server.acme).get('/tickets'), 401, 'VISITOR_UNKNOWN')
})

test("refuses a signature made with Rival's secret, and Rival gets no widget events", async () => {
  await server.db`update widgets set secret = ${server.vault.seal('ws_rival', widgetSecretLabel(server.rival.id))} where project_id = ${server.rival.id}`
  const id = unique()
  await refused({ user: { id }, signature: sign({ id }, 'ws_rival') }, 'SIGNATURE_INVALID', 'signature')
  assert.deepEqual((await listEvents(server.db, server.rival)).length, 0)
})

test('a hundred concurrent identifications create one contact', async () => {
  const id = unique()
  const events = await eventsOf(server, () =>
    Promise.all(Array.from({ length: 100 }, () => signIn(server, { id }))),
  )
  assert.equal(events.filter(({ type }) => type === 'contact.created').length, 1)
  assert.equal(events.filter(({ type }) => type === 'contact.identified').length, 100)
})
