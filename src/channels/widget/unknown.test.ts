import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { unique } from '../../../test/cast.ts'
import { assertEnvelope } from '../../../test/client.ts'
import type { TestServer } from '../../../test/server.ts'
import { atWidget, begin, makeJwt, sign, startChat, switchOn } from '../../../test/widget.ts'

/** Strangers learn nothing about a project's contacts, and cannot store an invalid address. */

const prechat_fields = [{ key: 'email', type: 'email', labels: {}, is_required: true }]

let server: TestServer
before(async () => {
  server = await startChat()
  await switchOn(server, server.acme, { requires_signature: false, prechat_fields })
})
after(() => server.close())

const identify = (body: object) => atWidget(server, server.acme).post('/identify', body)

/** The response without its own ids and tokens. */
const withoutIds = ({
  status,
  body: { token: _, visitor, ...rest },
}: Awaited<ReturnType<typeof identify>>) => {
  const { id: _id, last_seq: _seq, ...said } = visitor
  return { status, ...rest, visitor: said }
}

test('responses without proof of an address do not reveal which addresses are known', async () => {
  const known = `${unique()}@example.com`
  await server.api.post('/contacts', { email: known, full_name: 'Ann' })
  const other = () => `${unique()}@example.com`
  const [id, another] = [unique(), unique()]
  for (const [one, two] of [
    [{ user: { email: known } }, { user: { email: other() } }],
    [{ user: { id: unique(), email: known } }, { user: { id: unique(), email: other() } }],
  ])
    assert.deepEqual(withoutIds(await identify(one!)), withoutIds(await identify(two!)))
  const signed = await identify({ user: { id, email: known }, signature: sign({ id }) })
  const free = await identify({ user: { id: another, email: other() }, signature: sign({ id: another }) })
  assert.deepEqual([signed.body.conflicts, free.body.conflicts], [[], []])
})

test('reports a conflict when a token proves the address of a contact other than the one with its id', async () => {
  const [known, sub] = [`${unique()}@example.com`, unique()]
  await server.api.post('/contacts', { email: known })
  assert.equal((await identify({ token: makeJwt({ sub }) })).status, 200)
  assert.deepEqual((await identify({ token: makeJwt({ sub, email: known }) })).body.conflicts, ['email'])
})

test('refuses an address in the questions before the chat that would be invalid in a mail', async () => {
  for (const email of [
    'Ann <ann@example.com>',
    'ann@example.com>',
    '"ann"@example.com',
    'ann,bob@example.com',
    'ann@example.com,bob@example.com',
    'ann@example.com;bob',
    'ann@example..com',
  ]) {
    const answer = await (await begin(server)).api.post('/tickets', { content: 'Hello', fields: { email } })
    assertEnvelope(answer, 422, 'VALIDATION_ERROR', { field: 'fields.email', reason: 'not_an_email' })
  }
})

test('ignores an invalid address in a token, and refuses the token if it contains no other identity', async () => {
  const email = 'ann@example.com>,<bob@example.com'
  const sub = unique()
  const { status } = await identify({ token: makeJwt({ sub, email }) })
  const { body } = await server.api.get(`/contacts/external:${sub}`)
  assert.deepEqual([status, body.email], [200, null])
  assertEnvelope(await identify({ token: makeJwt({ email }) }), 403, 'SIGNATURE_INVALID', {
    reason: 'nobody',
  })
})
