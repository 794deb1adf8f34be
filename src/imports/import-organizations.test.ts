import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeContact, unique } from '../../test/cast.ts'
import { makeOrganization } from '../../test/organization.ts'
import { startServer } from '../../test/server.ts'
import { continueJoins } from '../organizations/organizations.ts'
import {
  continueRemovals,
  findImport,
  type ImportedMembership,
  importContacts,
  importOrganizations,
  removeImport,
} from './imports.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db, acme, rival } = server
after(() => server.close())

const source = 'archive'
const target = { projectId: acme.id, source }

const anOrganization = (fields: object = {}) => ({ source_id: unique(), name: `Shop ${unique()}`, ...fields })

async function importMember(organization: string | null, is_chosen = false, domain = 'elsewhere.example') {
  const source_id = unique()
  const membership: ImportedMembership = { organization, is_chosen }
  const items = [{ source_id, email: `${source_id}@${domain}` }]
  const [result] = await importContacts(db, target, items, new Map([[source_id, membership]]))
  return (await api.get(`/contacts/${result!.id}`)).body
}

async function removeAll(): Promise<void> {
  await removeImport(db, acme.id, source)
  while ((await continueRemovals(db, acme.id)) > 0);
}

const statusOf = async (id: string | null) => (await api.get(`/organizations/${id}`)).status

test('an organization is imported once, with its domains, and a dry run writes nothing', async () => {
  const domain = `${unique()}.example`
  const item = anOrganization({ domains: [domain], external_id: unique(), note: 'Good' })
  const dry = await importOrganizations(db, { ...target, dryRun: true }, [item])
  assert.partialDeepStrictEqual(dry, [{ status: 'created', id: null }])
  assert.equal((await api.get(`/organizations?domain=${domain}`)).body.items.length, 0)
  const [created] = await importOrganizations(db, target, [item])
  assert.equal(created!.status, 'created')
  const { body } = await api.get(`/organizations/${created!.id}`)
  assert.partialDeepStrictEqual(body, { name: item.name, domains: [domain], note: 'Good' })
  const [existing] = await importOrganizations(db, target, [item])
  assert.deepEqual([existing!.status, existing!.id], ['existing', created!.id])
  assert.equal((await findImport(db, acme.id, source))!.organizations, 1)
  assert.equal((await outsider.get(`/organizations/${created!.id}`)).status, 404)
  assert.equal((await db`select from organizations where project_id = ${rival.id}`).count, 0)
})

test('an organization of the project with the same name or external id is used, and stays unchanged', async () => {
  const [named, external] = [
    await makeOrganization(api),
    await makeOrganization(api, { external_id: unique() }),
  ]
  const results = await importOrganizations(db, target, [
    anOrganization({ name: named.name.toUpperCase(), note: 'Other', domains: [`${unique()}.example`] }),
    anOrganization({ external_id: external.external_id }),
  ])
  assert.deepEqual(
    results.map(({ status, id }) => [status, id]),
    [named, external].map(({ id }) => ['matched', id]),
  )
  for (const one of [named, external]) assert.deepEqual((await api.get(`/organizations/${one.id}`)).body, one)
})

test('items with the same id are the same organization', async () => {
  const item = anOrganization()
  const [one, other] = await importOrganizations(db, target, [item, item])
  assert.deepEqual([one!.status, other!.status, other!.id], ['created', 'existing', one!.id])
})

test('domains that another organization has, or that are not allowed, are left out and reported', async () => {
  const [taken, free] = [`${unique()}.example`, `${unique()}.example`]
  await makeOrganization(api, { domains: [taken] })
  const [result] = await importOrganizations(db, target, [
    anOrganization({ domains: [taken, free, 'gmail.com'] }),
  ])
  assert.deepEqual((await api.get(`/organizations/${result!.id}`)).body.domains, [free])
  assert.deepEqual(
    result!.warnings.map(({ value, reason }) => [value, reason]),
    [
      ['gmail.com', 'public_mail_domain'],
      [taken, 'domain_taken'],
    ],
  )
})

test('contacts belong to the organization that they had, unless it has been deleted since', async () => {
  const domain = `${unique()}.example`
  const [shop, gone] = [anOrganization({ domains: [domain] }), anOrganization()]
  const results = await importOrganizations(db, target, [shop, gone])
  const [shopId, goneId] = results.map(({ id }) => id)
  await api.delete(`/organizations/${goneId}`)
  const idOf = async (...member: Parameters<typeof importMember>) =>
    (await importMember(...member)).organization_id
  assert.equal(await idOf(shop.source_id), shopId)
  assert.equal(await idOf(null, false, domain), shopId)
  assert.equal(await idOf(null, true, domain), null)
  assert.equal(await idOf(gone.source_id), null)
  assert.equal(await idOf(gone.source_id, true, domain), shopId)
})

test('contacts that the project already has join an imported organization by their addresses', async () => {
  const domain = `${unique()}.example`
  const { id } = await makeContact(api, { email: `ann@${domain}` })
  const [shop] = await importOrganizations(db, target, [anOrganization({ domains: [domain] })])

  while ((await api.get(`/contacts/${id}`)).body.organization_id === null) await continueJoins(db, acme.id)
  assert.equal((await api.get(`/contacts/${id}`)).body.organization_id, shop!.id)
})

test('the removal of an import deletes its organizations, except those with other members and those that were matched', async () => {
  await removeAll()
  const known = await makeOrganization(api)
  const items = [anOrganization(), anOrganization(), anOrganization({ name: known.name })]
  const results = await importOrganizations(db, target, items)
  const [alone, used, matched] = results.map(({ id }) => id)
  await importMember(items[0]!.source_id)
  await makeContact(api, { organization_id: used })
  await removeAll()
  assert.equal(matched, known.id)
  assert.deepEqual([await statusOf(alone!), await statusOf(used!), await statusOf(matched!)], [404, 200, 200])
  assert.equal(await findImport(db, acme.id, source), null)
})
