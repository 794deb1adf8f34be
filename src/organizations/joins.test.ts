import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeContact, makeTicket, unique } from '../../test/cast.ts'
import { type Desk, openDesk } from '../../test/desk.ts'
import { makeOrganization } from '../../test/organization.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { continueJoins } from './organizations.ts'

let server: TestServer
let desk: Desk
before(async () => {
  server = await startServer({ delivers: false })
  desk = await openDesk(server)
})
after(() => server.close())

const newDomain = () => `${unique()}.example`
const organizationOf = async (id: string) => (await server.api.get(`/contacts/${id}`)).body.organization_id
const finish = async () => {
  while (await continueJoins(server.db, server.acme.id));
}
const isDue = async () =>
  (await server.db`select from due_work where project_id = ${server.acme.id} and kind = 'organizations'`)
    .length > 0

/** Inserts contacts with an address at the domain directly, so that they do not join. */
const insertMany = (domain: string, count: number) => server.db`
  with made as (
    insert into contacts (project_id, id, email, source, search, created_at, updated_at)
    select ${server.acme.id}, uuid_v7(), 'p' || n || '@' || ${domain}, 'api', '', now(), now()
    from generate_series(1, ${count}::int) n returning project_id, id, email)
  insert into contact_identities (project_id, type, value, contact_id, is_primary)
  select project_id, 'email', email, id, true from made`

test("a new contact joins the organization that has exactly the domain of the contact's address", async () => {
  const domain = newDomain()
  const { id } = await makeOrganization(server.api, { domains: [domain] })
  const created = await makeContact(server.api, { email: `Ann@${domain.toUpperCase()}` })
  assert.equal(created.organization_id, id)
  const ticket = await makeTicket(server.api, { contact: { email: `tom@${domain}` } })
  assert.equal(await organizationOf(ticket.contact_id), id)
  const sub = await makeContact(server.api, { email: `ann@eu.${domain}` })
  const longer = await makeContact(server.api, { email: `ann@x${domain}` })
  assert.deepEqual([sub.organization_id, longer.organization_id], [null, null])
  const { body: theirs } = await server.outsider.post('/contacts', { email: `ann@${domain}` })
  assert.equal(theirs.organization_id, null)
})

test('contacts join by an international domain in both spellings', async () => {
  const word = unique()
  const { id } = await makeOrganization(server.api, { domains: [`bücher.${word}.example`] })
  const punycode = await makeContact(server.api, { email: `a@xn--bcher-kva.${word}.example` })
  const unicode = await makeContact(server.api, { email: `b@BÜCHER.${word}.example` })
  assert.deepEqual([punycode.organization_id, unicode.organization_id], [id, id])
})

test('a contact that gets an address later joins, unless it has an organization or was set to have none', async () => {
  const domain = newDomain()
  const { id } = await makeOrganization(server.api, { domains: [domain] })
  const other = await makeOrganization(server.api)
  const add = async (fields: object) => {
    const contact = await makeContact(server.api, { email: null, telegram_id: nextTelegram(), ...fields })
    await server.api.patch(`/contacts/${contact.id}`, { email: `${unique()}@${domain}` })
    return organizationOf(contact.id)
  }
  assert.equal(await add({}), id)
  assert.equal(await add({ organization_id: other.id }), other.id)
  assert.equal(await add({ organization_id: null }), null)
  const telegram_id = nextTelegram()
  const known = await makeContact(server.api, { email: null, telegram_id })
  await server.api.post('/contacts', { telegram_id, email: `${unique()}@${domain}` })
  assert.equal(await organizationOf(known.id), id)
})

let lastTelegram = 7_000_000
const nextTelegram = () => ++lastTelegram

test('an imported contact joins', async () => {
  const domain = newDomain()
  const { id } = await makeOrganization(server.api, { domains: [domain] })
  const items = [
    { source_id: '1', email: `a@${domain}` },
    { source_id: '2', email: 'b@example.net', emails: [`b@${domain}`] },
    { source_id: '3', email: 'c@example.net' },
  ]
  const { body } = await server.api.post('/import/joins/contacts', { items })
  const ids = body.items.map((item: { id: string }) => item.id)
  assert.deepEqual(await Promise.all(ids.map(organizationOf)), [id, id, null])
})

test('someone who is removed from an organization by hand does not join again', async () => {
  const domain = newDomain()
  const made = await makeOrganization(server.api, { domains: [domain] })
  const contact = await makeContact(server.api, { email: `ann@${domain}` })
  const version = contact.version + 1
  const removed = await desk.operator.patch(`/contacts/${contact.id}`, { organization_id: null })
  assert.partialDeepStrictEqual(removed.body, { organization_id: null, version })
  await server.api.patch(`/organizations/${made.id}`, { domains: [] })
  await server.api.patch(`/organizations/${made.id}`, { domains: [domain] })
  await finish()
  assert.equal(await organizationOf(contact.id), null)
})

test('the preview of a domain says how many contacts will join, and all of them join, in batches', async () => {
  const domain = newDomain()
  await insertMany(domain, 1_201)
  const other = await makeOrganization(server.api)
  const elsewhere = await makeContact(server.api, { email: `ann@${domain}`, organization_id: other.id })
  const theirs = (await server.outsider.post('/contacts', { email: `ann@${domain}` })).body
  const preview = await desk.operator.get(`/organization-domains/${domain.toUpperCase()}`)
  assert.deepEqual(preview.body, { domain, organization: null, contacts_count: 1_201 })
  const { id, name, contacts_count } = await makeOrganization(server.api, { domains: [domain] })
  // One of the first 500 has another organization.
  assert.equal(contacts_count, 499)
  assert.ok(await isDue())
  await finish()
  assert.equal((await server.api.get(`/organizations/${id}`)).body.contacts_count, 1_201)
  assert.equal(await organizationOf(elsewhere.id), other.id)
  assert.equal((await server.outsider.get(`/contacts/${theirs.id}`)).body.organization_id, null)
  const again = (await desk.operator.get(`/organization-domains/${domain}`)).body
  assert.deepEqual(again, { domain, organization: { id, name }, contacts_count: 0 })
})

test('a contact that was being created while the domain was added joins in the second pass', async () => {
  const domain = newDomain()
  const { id } = await makeOrganization(server.api, { domains: [domain] })
  await insertMany(domain, 1)
  await finish()
  const count = async () => (await server.api.get(`/organizations/${id}`)).body.contacts_count
  assert.equal(await count(), 0)
  await server.db`update organization_joins set due_at = now() where domain = ${domain}`
  await finish()
  assert.equal(await count(), 1)
  const left = await server.db`select from organization_joins where domain = ${domain}`
  assert.equal(left.length, 0)
})

test('when a domain is removed, members stay, and later contacts do not join', async () => {
  const domain = newDomain()
  const { id } = await makeOrganization(server.api, { domains: [domain] })
  const before = await makeContact(server.api, { email: `a@${domain}` })
  await server.api.patch(`/organizations/${id}`, { domains: [] })
  const later = await makeContact(server.api, { email: `b@${domain}` })
  await finish()
  assert.deepEqual([await organizationOf(before.id), await organizationOf(later.id)], [id, null])
})

test('members of a deleted organization remain contacts, leave it in batches, and may join another one', async () => {
  const domain = newDomain()
  await insertMany(domain, 700)
  const { id } = await makeOrganization(server.api, { domains: [domain] })
  await finish()
  assert.equal((await server.api.delete(`/organizations/${id}`)).status, 204)
  const rows = () => server.db`select from organizations where id = ${id}`
  assert.equal((await rows()).length, 1)
  await finish()
  assert.equal((await rows()).length, 0)
  const next = await makeOrganization(server.api, { domains: [domain] })
  await finish()
  assert.equal((await server.api.get(`/organizations/${next.id}`)).body.contacts_count, 700)
})

test("after a merge, the contact keeps its organization, or gets the other contact's if it had none", async () => {
  const [one, two] = [await makeOrganization(server.api), await makeOrganization(server.api)]
  const merge = async (source: Record<string, unknown>, target: Record<string, unknown>) => {
    const [from, into] = [await makeContact(server.api, source), await makeContact(server.api, target)]
    const path = `/contacts/${from.id}/merge`
    return (await server.api.post(path, { into_contact_id: into.id })).body.organization_id
  }
  assert.equal(await merge({ organization_id: one.id }, { organization_id: two.id }), two.id)
  assert.equal(await merge({ organization_id: one.id }, {}), one.id)
  assert.equal(await merge({ organization_id: one.id }, { organization_id: null }), one.id)
  assert.equal(await merge({}, { organization_id: two.id }), two.id)
})
