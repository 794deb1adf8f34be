import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, test } from 'node:test'
import { assertEnvelope } from '../../../test/client.ts'
import type { TestServer } from '../../../test/server.ts'
import { atWidget, inAnHour, secret, sign, startChat, switchOn } from '../../../test/widget.ts'

/** One secret signs tokens, ids and addresses. A signature for one kind must not be valid for another. */

let server: TestServer
before(async () => {
  server = await startChat()
  await switchOn(server, server.acme)
})
after(() => server.close())

const identify = (body: object) => atWidget(server, server.acme).post('/identify', body)
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const asToken = (signature: string) => Buffer.from(signature, 'hex').toString('base64url')

test('refuses as a token what was signed as an id that a user chose', async () => {
  const id = `${part({ alg: 'HS256' })}.${part({ email: 'ann@example.com', exp: inAnHour() })}`
  const answer = await identify({ token: `${id}.${asToken(sign({ id }))}` })
  assertEnvelope(answer, 403, 'SIGNATURE_INVALID', { reason: 'signature' })
})

test('refuses the signature of an id as that of an address, and the reverse', async () => {
  const address = 'ann@example.com'
  for (const [user, other] of [
    [{ email: address }, { id: address }],
    [{ id: address }, { email: address }],
    [{ id: `email:${address}` }, { email: address }],
  ]) {
    const answer = await identify({ user, signature: sign(other!) })
    assertEnvelope(answer, 403, 'SIGNATURE_INVALID', { reason: 'signature' })
  }
})

test('refuses the signature of an id without its prefix', async () => {
  const signature = createHmac('sha256', secret).update('42').digest('hex')
  assertEnvelope(await identify({ user: { id: '42' }, signature }), 403, 'SIGNATURE_INVALID')
})

test('accepts the signature of an id as an id, and that of an address as an address', async () => {
  for (const user of [{ id: '42' }, { email: 'ann@example.com' }]) {
    const { status, body } = await identify({ user, signature: sign(user) })
    assert.deepEqual([status, body.visitor.is_verified], [200, true])
  }
})
