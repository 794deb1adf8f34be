import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeContact, makeTicket, nobody, unique } from '../../test/cast.ts'
import { assertBrief, assertEnvelope, assertProblems } from '../../test/client.ts'
import { type Desk, openDesk } from '../../test/desk.ts'
import { makeOrganization } from '../../test/organization.ts'
import { startServer, type TestServer } from '../../test/server.ts'

let server: TestServer
let desk: Desk
before(async () => {
  server = await startServer({ delivers: false })
  desk = await openDesk(server)
})
after(() => server.close())

const make = (fields = {}) => makeOrganization(server.api, fields)
const read = async (id: string) => (await server.api.get(`/organizations/${id}`)).body
const idsOf = async (path: string, client = server.api) =>
  (await client.get(path)).body.items.map((one: { id: string }) => one.id)

test('an organization is created, read, changed and deleted', async () => {
  const domain = `${unique()}.example`
  const sent = { external_id: unique(), note: 'Kind', custom_fields: { plan: 'team', seats: 3 } }
  const made = await make({ ...sent, domains: [domain] })
  assert.partialDeepStrictEqual(made, { ...sent, domains: [domain], contacts_count: 0, version: 1 })
  assert.deepEqual(await read(made.id), made)
  const change = { name: `${made.name} Ltd`, note: null, custom_fields: { plan: null } }
  const changed = (await server.api.patch(`/organizations/${made.id}`, change)).body
  assert.partialDeepStrictEqual(changed, { name: change.name, note: null, version: 2, domains: [domain] })
  assert.deepEqual(changed.custom_fields, { seats: 3 })
  assert.equal((await server.api.delete(`/organizations/${made.id}`)).status, 204)
  const gone = `/organizations/${made.id}`
  assertEnvelope(await server.api.get(gone), 404, 'ORGANIZATION_NOT_FOUND')
  assertEnvelope(await server.api.patch(gone, {}), 404, 'ORGANIZATION_NOT_FOUND')
  assertEnvelope(await server.api.delete(gone), 404, 'ORGANIZATION_NOT_FOUND')
  await make({ name: change.name, external_id: sent.external_id, domains: [domain] })
})

test('a change without effect does not increase the version, and If-Match is checked', async () => {
  const { id, name } = await make()
  const same = await server.api.patch(`/organizations/${id}`, { name, domains: [] })
  assert.equal(same.body.version, 1)
  const headers = { 'If-Match': '"7"' }
  assertBrief(await server.api.patch(`/organizations/${id}`, { note: 'x' }, { headers }), 412)
})

test('within a project, a name, an external id or a domain belongs to one organization, in any spelling', async () => {
  const domain = `${unique()}.example`
  const first = await make({ external_id: unique(), domains: [domain] })
  const refused = async (fields: object, detail: object) => {
    const body = { name: unique(), ...fields }
    const taken = await server.api.post('/organizations', body)
    assert.partialDeepStrictEqual([taken.status, taken.body.detail], [422, detail], taken.text)
    const other = await make()
    const moved = await server.api.patch(`/organizations/${other.id}`, fields)
    assert.partialDeepStrictEqual([moved.status, moved.body.detail], [422, detail], moved.text)
  }
  await refused({ name: ` ${first.name.toUpperCase()}` }, { field: 'name', reason: 'identifier_taken' })
  await refused({ external_id: first.external_id }, { field: 'external_id', reason: 'identifier_taken' })
  const taken = { field: 'domains', reason: 'domain_taken', organization_id: first.id, domain }
  await refused({ domains: [domain.toUpperCase()] }, taken)
  const { name, external_id } = first
  await makeOrganization(server.outsider, { name, external_id, domains: [domain] })
})

test('domains are stored in lower case and without Punycode, and an address is reduced to its domain', async () => {
  const word = unique()
  const sent = [
    `${word}.EXAMPLE`,
    `@${word}.test`,
    `ann@${word}.org`,
    `xn--mnchen-3ya-${word}.example`,
    `Müller-${word}.de.`,
  ]
  const { domains } = await make({ domains: [...sent, `${word}.example`] })
  const expected = [`${word}.example`, `${word}.test`, `${word}.org`, `müller-${word}.de`]
  for (const domain of expected) assert.ok(domains.includes(domain), `${domain} in ${domains}`)
  assert.equal(domains.length, 5)
  const punycode = await make({ domains: [`xn--bcher-kva.${word}.example`] })
  assert.deepEqual(punycode.domains, [`bücher.${word}.example`])
})

test('a public mail domain, and text that is not a domain, are refused with the reason', async () => {
  const refused = async (domain: string, reason: string) => {
    const answer = await server.api.post('/organizations', { name: unique(), domains: ['a.example', domain] })
    assertEnvelope(answer, 422, 'VALIDATION_ERROR')
    assert.partialDeepStrictEqual(answer.body.detail, { field: 'domains.1', reason }, domain)
  }
  for (const domain of ['gmail.com', 'GMX.de', 'ann@outlook.com']) await refused(domain, 'public_mail_domain')
  for (const domain of [
    'example',
    'a b.example',
    '*.shop.example',
    '.example',
    '@',
    `${'a.'.repeat(124)}example`,
  ])
    await refused(domain, 'not_a_domain')
})

test('organizations are found by part of the name, the beginning of a domain, the domain or the external id', async () => {
  const word = unique()
  const b = await make({ name: `B 100% ${word}`, domains: [`x${word}.example`], external_id: word })
  const a = await make({ name: `a ${word}` })
  await makeOrganization(server.outsider, { name: `c ${word}` })
  const find = (query: string) => idsOf(`/organizations?${query}`)
  assert.deepEqual(await find(`q=${word.toUpperCase()}`), [a.id, b.id])
  assert.deepEqual(await find(`q=${word}&sort=-name`), [b.id, a.id])
  assert.deepEqual(await find(`q=${word}&sort=created_at`), [b.id, a.id])
  assert.deepEqual(await find(`q=x${word}`), [b.id])
  assert.deepEqual(await find(`q=${encodeURIComponent(`100% ${word}`)}`), [b.id])
  assert.deepEqual(await find('q=%25%25'), [])
  assert.deepEqual(await find(`domain=X${word}.example`), [b.id])
  assert.deepEqual(await find(`external_id=${word}`), [b.id])
})

test('a cursor continues after a name that contains any characters', async () => {
  const word = unique()
  const names = ['ä|1', 'z"', 'ж', '🦓'].map(name => `${word} ${name}`)
  for (const name of names) await make({ name })
  let path = `/organizations?q=${word}&page_size=1`
  const found: string[] = []
  for (;;) {
    const { body } = await server.api.get(path)
    found.push(...body.items.map((one: { name: string }) => one.name))
    if (!body.has_more) break
    path = `/organizations?q=${word}&page_size=1&cursor=${body.next_cursor}`
  }
  assert.deepEqual(
    found,
    names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
  )
})

test('custom fields of organizations are checked like those of contacts', async () => {
  const field = { record: 'organization', key: unique().replace(/^\d/, 'k'), label: 'Seats', type: 'number' }
  assert.equal((await desk.admin.post('/custom-fields', field)).status, 201)
  const wrong = { name: unique(), custom_fields: { [field.key]: 'many' } }
  const answer = await server.api.post('/organizations', wrong)
  assert.partialDeepStrictEqual(answer.body.detail, { reason: 'wrong_type', key: field.key })
})

test('operators can create and change organizations, only admins can delete them, and each change is in the audit log', async () => {
  const { id } = (await desk.operator.post('/organizations', { name: unique() })).body
  assert.equal((await desk.operator.patch(`/organizations/${id}`, { note: 'x' })).status, 200)
  assertEnvelope(await desk.operator.delete(`/organizations/${id}`), 403, 'ROLE_REQUIRED')
  assert.equal((await desk.admin.delete(`/organizations/${id}`)).status, 204)
  const entries = (await desk.admin.get(`/audit?target_id=${id}`)).body.items
  assert.deepEqual(
    entries.map((entry: { action: string }) => entry.action),
    ['organization.deleted', 'organization.changed', 'organization.created'],
  )
  assert.deepEqual(entries[1].detail, { before: { note: null }, after: { note: 'x' } })
})

test("contacts and tickets are listed by organization, and Rival sees nothing of Acme's", async () => {
  const { id } = await make()
  const contact = await makeContact(server.api, { organization_id: id })
  const ticket = await makeTicket(server.api, { contact: { email: contact.email } })
  await makeTicket(server.api)
  assert.deepEqual(await idsOf(`/contacts?organization_id=${id}`), [contact.id])
  assert.deepEqual(await idsOf(`/tickets?organization_id=${id}`), [ticket.id])
  assert.deepEqual(await idsOf(`/tickets?organization_id=${id}&sort=-updated_at&status=new`), [ticket.id])
  assert.deepEqual(await idsOf(`/tickets?organization_id=${nobody},x`), [])
  assert.deepEqual(await idsOf('/contacts?organization_id=x'), [])
  assert.equal((await read(id)).contacts_count, 1)
  const context = (await desk.operator.get(`/tickets/${ticket.id}/context`)).body
  assert.equal(context.organization.id, id)
  assert.deepEqual(await idsOf(`/contacts?organization_id=${id}`, server.outsider), [])
  assert.deepEqual(await idsOf(`/tickets?organization_id=${id}`, server.outsider), [])
  const theirs = await server.outsider.post('/contacts', { email: 'e@example.com', organization_id: id })
  assert.partialDeepStrictEqual(theirs.body.detail, { field: 'organization_id', reason: 'not_found' })
})

test('a name needs a visible character, and must not contain control characters or lone surrogates', async () => {
  for (const name of ['', ' \u200b', 'a\nb', 'a\ud800'])
    assertProblems(await server.api.post('/organizations', { name }), 'body.name:value_error')
})
