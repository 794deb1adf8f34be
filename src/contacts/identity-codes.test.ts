import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeContact, unique } from '../../test/cast.ts'
import { assertEnvelope } from '../../test/client.ts'
import { startMailingServer } from '../../test/mailing-server.ts'
import { startServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'

const { server, mailbox } = await startMailingServer()
const { api, outsider, db } = server

const path = (id: string, email: string, action: string) =>
  `/contacts/${id}/identities/${encodeURIComponent(`email:${email}`)}/${action}`
const send = (id: string, email: string) => api.post(path(id, email, 'code'))
const verify = (id: string, email: string, code: string) => api.post(path(id, email, 'verify'), { code })

async function codeFor(email: string): Promise<string> {
  const mail = await until(async () => mailbox.mails.findLast(({ to }) => to.includes(email)))
  return /(\d{6})/.exec(/^Subject: (.*)$/m.exec(mail.text)![1]!)![1]!
}

const identityOf = async (id: string) => (await api.get(`/contacts/${id}/identities`)).body.items[0]

test('the mailed code verifies the address, works once, and is in the language of the contact', async () => {
  const { id, email } = await makeContact(api, { language: 'de' })
  const { status, body } = await send(id, email)
  assert.equal(status, 202)
  assert.ok(body.expires_at > body.sent_at)
  assert.equal((await identityOf(id)).code_sent_at, body.sent_at)
  const code = await codeFor(email)
  const mail = mailbox.mails.findLast(({ to }) => to.includes(email))!
  assert.match(mail.text, /^Subject: Ihr Code: \d{6}\r?$/m)
  assert.match(mail.text, /^From: Acme </m)
  assert.equal(mail.text.includes('<a href'), false)
  const answer = await verify(id, email, ` ${code.slice(0, 3)} ${code.slice(3)} `)
  assert.partialDeepStrictEqual(answer.body, {
    is_verified: true,
    verified_how: 'code',
    verified_by: { type: 'api' },
  })
  assertEnvelope(await verify(id, email, code), 422, 'VALIDATION_ERROR', {
    field: 'code',
    reason: 'code_expired',
  })
  assertEnvelope(await send(id, email), 422, 'VALIDATION_ERROR', {
    field: 'identity',
    reason: 'already_verified',
  })
})

test('a wrong code verifies nothing, and after five wrong codes the right one is refused too', async () => {
  const { id, email } = await makeContact(api)
  await send(id, email)
  const code = await codeFor(email)
  const wrong = code === '000000' ? '111111' : '000000'
  for (let tries = 0; tries < 5; tries++)
    assertEnvelope(await verify(id, email, wrong), 422, 'VALIDATION_ERROR', {
      field: 'code',
      reason: 'wrong_code',
    })
  assertEnvelope(await verify(id, email, code), 422, 'VALIDATION_ERROR', {
    field: 'code',
    reason: 'code_expired',
  })
  assert.equal((await identityOf(id)).is_verified, false)
})

test('a code is valid for an hour; a new one replaces it; at most one a minute and five a day are sent', async () => {
  const { id, email } = await makeContact(api)
  await send(id, email)
  const first = await codeFor(email)
  const limited = await send(id, email)
  assert.equal(limited.status, 429)
  assert.ok(Number(limited.headers.get('retry-after')) <= 60)
  const age = (interval: string) =>
    db`update identity_codes set sent_at = sent_at - ${interval}::text::interval where value = ${email}`
  for (let sent = 1; sent < 5; sent++) {
    await age('61 seconds')
    assert.equal((await send(id, email)).status, 202)
  }
  await age('61 seconds')
  const exhausted = await send(id, email)
  assert.ok(Number(exhausted.headers.get('retry-after')) > 80_000)
  const last = await codeFor(email)
  if (first !== last) assert.equal((await verify(id, email, first)).status, 422)
  await age('1 hour')
  assertEnvelope(await verify(id, email, last), 422, 'VALIDATION_ERROR', {
    field: 'code',
    reason: 'code_expired',
  })
})

test('only the project can send a code, only to an address; a moved address keeps no code', async () => {
  const { id, email } = await makeContact(api, { telegram_id: 9_000_001 })
  const telegram = await api.post(`/contacts/${id}/identities/telegram:9000001/code`)
  assertEnvelope(telegram, 422, 'VALIDATION_ERROR', { field: 'identity', reason: 'not_an_email_identity' })
  assertEnvelope(await outsider.post(path(id, email, 'code')), 404, 'CONTACT_NOT_FOUND')
  await send(id, email)
  const code = await codeFor(email)
  await api.request('DELETE', `/contacts/${id}/identities/email:${email}`)
  const { id: other } = await makeContact(api, { email })
  assertEnvelope(await verify(other, email, code), 422, 'VALIDATION_ERROR', {
    field: 'code',
    reason: 'code_expired',
  })
})

test('without a mail server, the error says what to set', async () => {
  const plain = await startServer({ delivers: false })
  after(() => plain.close())
  const email = `${unique()}@example.com`
  const { id } = await makeContact(plain.api, { email })
  assertEnvelope(await plain.api.post(path(id, email, 'code')), 502, 'MAIL_NOT_SENT', {
    reason: 'not_set_up',
  })
})
