import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeContact, makeTicket, nobody } from '../../../test/cast.ts'
import { assertBrief, assertProblems } from '../../../test/client.ts'
import { startServer } from '../../../test/server.ts'

const server = await startServer({ delivers: false })
const { api } = server
after(() => server.close())

test('the error_message of each VALIDATION_ERROR says what is wrong with which field', async () => {
  const ticket = await makeTicket(api)
  const said = async (path: string, body: object) => (await api.post(path, body)).body.error_message
  const merge = `/tickets/${ticket.id}/merge`
  assert.equal(
    await said(merge, { into_ticket_id: ticket.id }),
    'A record cannot be merged into itself (into_ticket_id)',
  )
  assert.equal(
    await said(`/tickets/${ticket.id}/messages`, { media_ids: [nobody] }),
    'No record in this project with this id can be used here (media_ids)',
  )
  assert.equal(
    await said('/webhooks', { url: 'https://example.com', events: ['ticket.shut'] }),
    'There is no event with this name (events)',
  )
})

test('a path that ends in a slash answers 404', async () => {
  for (const path of ['/tickets/', '/contacts/', '/messages/', '/webhooks/', '/media/', '/contacts//tickets'])
    for (const method of ['GET', 'PATCH', 'PUT'])
      assertBrief(await api.request(method, path), 404, 'Not Found')
  assertBrief(await server.stranger.get('/tickets/'), 401)
})

test('the error about a wrong type names every type that is accepted', async () => {
  const { id } = await makeContact(api)
  const nested = await api.patch(`/contacts/${id}`, { custom_fields: { size: { width: 3 } } })
  assertProblems(nested, 'body.custom_fields.size:string_type')
  assert.equal(nested.body.detail[0].msg, 'Input should be a valid string, number, boolean or list')
  const listed = await api.patch(`/contacts/${id}`, { custom_fields: { sizes: [[3]] } })
  assert.equal(listed.body.detail[0].msg, 'Input should be a valid string, number or boolean')
  const account = await api.post('/contacts', { telegram_id: true })
  assert.equal(account.body.detail[0].msg, 'Input should be a valid integer or string')
})
