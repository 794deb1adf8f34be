import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Db } from '../../src/core/db/db.ts'
import type { Endpoint } from '../../src/core/endpoint.ts'
import { exampleBody } from '../../src/docs/examples.ts'
import { ensureCategory } from '../../src/knowledge/knowledge.ts'
import { type Member, makeContact, makeMessage, makeOperator, makeTicket, nobody } from '../cast.ts'
import type { Client } from '../client.ts'
import { makeChannelWithMessage } from '../custom-channel.ts'
import { makeArticle } from '../knowledge.ts'
import { giveEmail } from '../mail/give-email.ts'
import { storeMail } from '../mail.ts'
import { startServer, type TestServer } from '../server.ts'
import { makePicture } from '../upload.ts'
import { fillPath, operations, parametersOf, titleOf } from './operations.ts'

/** Nothing that belongs to Acme exists for Rival, down to the bytes of the response. */

type Ids = Record<string, string>

let server: TestServer
let acme: Ids
let rival: Ids

async function furnish(api: Client, db: Db, member: Member, email: string): Promise<Ids> {
  const webhook = await api.post('/webhooks', { url: 'http://127.0.0.1:9/' })
  const contact = await makeContact(api, { email })
  const ticket = await makeTicket(api, { contact: { email } })
  const message = await makeMessage(api, ticket.id)
  const deliveries = await api.get(`/webhooks/${webhook.body.id}/deliveries`)
  const category_id = await ensureCategory(db, member.id, [email], 'en')
  const article = await makeArticle(db, member, { category_id })
  const picture = await makePicture(api)
  await giveEmail(db, member.id, message.id, picture.id)
  const { channel_id, external_id } = await makeChannelWithMessage(db, member, api)
  return {
    channel_id,
    external_id,
    ticket_id: ticket.id,
    contact_id: contact.id,
    into_contact_id: (await makeContact(api, { email: `second-${email}` })).id,
    identity: await addIdentity(api, contact.id, `own-${email}`),
    message_id: message.id,
    webhook_id: webhook.body.id,
    delivery_id: deliveries.body.items[0].id,
    media_id: picture.id,
    article_id: article.id,
    category_id,
    organization_id: (await api.post('/organizations', { name: email })).body.id,
    rule_id: await makeRule(api, email),
    operator_id: (await makeOperator(db, member)).id,
    source: await makeImport(api, email),
    deletion_id: await makeDeletion(api),
  }
}

async function addIdentity(api: Client, contactId: string, value: string): Promise<string> {
  await api.post(`/contacts/${contactId}/identities`, { type: 'email', value })
  return `email:${value}`
}

const makeRule = async (api: Client, pattern: string): Promise<string> =>
  (await api.post('/sender-rules', { pattern, verdict: 'blocked' })).body.id

const makeDeletion = async (api: Client): Promise<string> => {
  const { id } = await makeTicket(api)
  return (await api.request('DELETE', `/tickets/${id}`)).body.id
}

async function makeImport(api: Client, email: string): Promise<string> {
  const source = email.replace('@', '-at-')
  await api.post(`/import/${source}/contacts`, { items: [{ source_id: '7', email: `other-${email}` }] })
  return source
}

/** Whether the caller chooses the name in the path. Another project may have an import with the same name. */
const choosesName = ({ method, path }: Endpoint) => method === 'POST' && path.startsWith('/import/{source}/')

before(async () => {
  server = await startServer({ delivers: false })
  acme = await furnish(server.api, server.db, server.acme, 'ann@example.com')
  acme.mail_id = await storeMail(server, server.acme)
  rival = await furnish(server.outsider, server.db, server.rival, 'eve@example.com')
  rival.mail_id = await storeMail(server, server.rival)
})
after(() => server.close())

const ask = (client: Client, operation: Endpoint, ids: Ids) =>
  client.request(
    operation.method,
    fillPath(operation, ids),
    operation.body ? exampleBody(operation) : undefined,
  )

const withoutRequestId = (text: string): string => text.replace(/"request_id":"[^"]*"/, '')

async function assertMissing(operation: Endpoint, parameter: string): Promise<void> {
  assert.ok(acme[parameter], `furnish() must create a ${parameter}`)
  if (operation.method === 'GET') assert.equal((await ask(server.api, operation, acme)).status, 200)
  const theirs = await ask(server.outsider, operation, { ...rival, [parameter]: acme[parameter]! })
  const none = await ask(server.outsider, operation, { ...rival, [parameter]: nobody })
  assert.equal(theirs.status, 404, theirs.text)
  assert.equal(withoutRequestId(theirs.text), withoutRequestId(none.text))
  assert.equal(none.status, 404)
}

for (const operation of operations.filter(one => !choosesName(one))) {
  for (const parameter of parametersOf(operation)) {
    test(`${titleOf(operation)} answers 404 to Rival for Acme's ${parameter}`, () =>
      assertMissing(operation, parameter))
  }
}

test("Rival cannot find Acme's contact by email address", async () => {
  assert.equal((await server.api.get('/contacts/email:ann@example.com')).status, 200)
  assert.equal((await server.outsider.get('/contacts/email:ann@example.com')).status, 404)
})

test("no list shows Rival anything of Acme's", async () => {
  const ids = Object.values(acme)
  for (const operation of operations.filter(({ method, path }) => method === 'GET' && !path.includes('{'))) {
    const { text } = await server.outsider.request('GET', fillPath(operation))
    assert.deepEqual(
      ids.filter(id => text.includes(id)),
      [],
      titleOf(operation),
    )
  }
})

test("Acme's records are unchanged afterwards", async () => {
  const ticket = await server.api.get(`/tickets/${acme.ticket_id}`)
  assert.deepEqual([ticket.body.status, ticket.body.version, ticket.body.messages_count], ['new', 1, 1])
  assert.equal((await server.api.get(`/webhooks/${acme.webhook_id}`)).status, 200)
})
