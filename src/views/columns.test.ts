import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeContact, makeTicket, unique } from '../../test/cast.ts'
import { assertProblems } from '../../test/client.ts'
import { joinCast, type Person } from '../../test/operator.ts'
import { startServer } from '../../test/server.ts'
import type { View } from './schema.ts'

const server = await startServer({ delivers: false })
const { api } = server
let olga: Person
let rita: Person

before(async () => {
  ;({ olga, rita } = await joinCast(server))
})
after(() => server.close())

async function makeField(record: string, who = olga): Promise<{ id: string; key: string }> {
  const field = { record, key: `k${unique()}`, label: 'K', type: 'text' }
  const { status, text, body } = await who.api.post('/custom-fields', field)
  assert.equal(status, 201, text)
  return body
}

const save = (columns: string[], who = olga) =>
  who.api.post('/views', { name: unique(), filters: {}, layout: 'table', columns })

const find = async ({ id }: View): Promise<View> =>
  (await olga.api.get('/views')).body.items.find((view: View) => view.id === id)

test('a view has columns of tickets, of contacts and of organizations, in their order', async () => {
  const [ofTicket, ofContact] = [await makeField('ticket'), await makeField('contact')]
  const columns = [
    'organization',
    `contact.custom_fields.${ofContact.key}`,
    'subject',
    `custom_fields.${ofTicket.key}`,
  ]
  const { status, text, body } = await save(columns)
  assert.equal(status, 201, text)
  assert.deepEqual((await find(body)).columns, columns)
})

test('a column that does not exist in the project, or is listed twice, is refused with its place', async () => {
  const [field, ofOrganization] = [await makeField('ticket'), await makeField('organization')]
  const own = `custom_fields.${field.key}`
  assertProblems(await save(['subject', 'colour']), 'body.columns.1:enum')
  assertProblems(await save(['subject', 'status', 'subject']), 'body.columns.2:value_error')
  assertProblems(await save([`contact.${own}`]), 'body.columns.0:enum')
  assertProblems(await save([`custom_fields.${ofOrganization.key}`]), 'body.columns.0:enum')
  assertProblems(await save([own], rita), 'body.columns.0:enum')
  const view = (await save([own])).body
  const changed = await olga.api.patch(`/views/${view.id}`, { columns: [own, 'x'] })
  assertProblems(changed, 'body.columns.1:enum')
  assert.deepEqual((await find(view)).columns, [own])
})

test('a column whose custom field was deleted is a problem of the view', async () => {
  const [field, ofContact] = [await makeField('ticket'), await makeField('contact')]
  const names = ['subject', `custom_fields.${field.key}`, `contact.custom_fields.${ofContact.key}`]
  const view: View = (await save(names)).body
  assert.deepEqual(view.problems, [])
  for (const { id } of [field, ofContact])
    assert.equal((await olga.api.delete(`/custom-fields/${id}`)).status, 204)
  assert.deepEqual((await find(view)).problems, [
    { loc: ['columns', 1], type: 'field_deleted' },
    { loc: ['columns', 2], type: 'field_deleted' },
  ])
  await olga.api.patch(`/views/${view.id}`, { columns: ['subject'] })
  assert.deepEqual((await find(view)).problems, [])
})

test("tickets show the contact's organization and custom fields, and Rival sees neither", async () => {
  const field = await makeField('contact')
  const organization = (await api.post('/organizations', { name: unique() })).body
  const custom_fields = { [field.key]: 'Gold' }
  const contact = await makeContact(api, { organization_id: organization.id, custom_fields })
  const ticket = await makeTicket(api, { contact: { id: contact.id } })
  const other = await makeTicket(api)
  const shown = {
    organization: { id: organization.id, name: organization.name },
    contact_custom_fields: custom_fields,
  }
  assert.partialDeepStrictEqual((await olga.api.get(`/tickets/${ticket.id}`)).body, shown)
  const { items } = (await olga.api.get('/tickets?view=all')).body
  const find = (id: string) => items.find((one: { id: string }) => one.id === id)
  assert.partialDeepStrictEqual(find(ticket.id), shown)
  assert.partialDeepStrictEqual(find(other.id), { organization: null, contact_custom_fields: {} })
  assert.equal((await rita.api.get(`/tickets/${ticket.id}`)).status, 404)
})
