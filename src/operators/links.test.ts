import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { unique } from '../../test/cast.ts'
import { assertEnvelope, assertProblems } from '../../test/client.ts'
import type { Delivered } from '../../test/mailbox.ts'
import { startMailingServer } from '../../test/mailing-server.ts'
import { joinCast, openBrowser, type Person, password } from '../../test/operator.ts'
import { until } from '../../test/until.ts'
import { createLink } from '../users/users.ts'

const { server, mailbox } = await startMailingServer()
let olga: Person
let omar: Person
let rita: Person
before(async () => {
  ;({ olga, omar, rita } = await joinCast(server))
})

const tokenOf = (url: string): string => url.split('/link/')[1]!
const newcomer = () => ({ name: 'Nina', email: `${unique()}@example.com` })

async function invite(by: Person, fields: object = {}) {
  const answer = await by.api.post('/operators', { ...newcomer(), ...fields })
  assert.equal(answer.status, 201, answer.text)
  return { ...answer.body, token: tokenOf(answer.body.link.url) }
}

const accept = (token: string, body: object = { name: 'Nina', password }, browser = openBrowser(server)) =>
  browser.own.post(`/links/${token}`, body)

const mailTo = (email: string): Promise<Delivered> =>
  until(async () => mailbox.mails.find(({ to }) => to.includes(email)))

test('an invitation is mailed as text and HTML, and its link is also in the response', async () => {
  const { operator, link, token } = await invite(olga, { name: 'Nina' })
  assert.partialDeepStrictEqual(operator, { name: 'Nina', role: 'operator', has_account: false })
  assert.equal(link.is_mailed, true)
  const mail = await mailTo(operator.email)
  assert.match(mail.text, /Subject: Join Acme on Deskbell/)
  assert.match(mail.text, /Olga invited you to join Acme and answer its customers/)
  assert.match(mail.text, /Content-Type: text\/plain/)
  assert.match(mail.text, /Content-Type: text\/html/)
  // The mail contains a different token, whose use proves the address.
  assert.ok(!mail.text.includes(token))
  assert.ok(mail.text.match(/\/link\/[\w-]{43}/g)!.length > 1)
})

test('HTML in a name is escaped in a mail', async () => {
  await server.db`update projects set name = 'A <script>alert(1)</script>' where id = ${server.acme.id}`
  const { operator } = await invite(olga)
  const { text } = await mailTo(operator.email)
  const html = text.split('Content-Type: text/html')[1]!
  assert.ok(!html.includes('<script>'))
  assert.ok(html.includes('&lt;script&gt;'))
  await server.db`update projects set name = 'Acme' where id = ${server.acme.id}`
})

test('an invitation link shows its project and address, creates the account and signs in', async () => {
  const { operator, token } = await invite(olga, { role: 'admin' })
  const browser = openBrowser(server)
  const shown = await browser.own.get(`/links/${token}`)
  assert.partialDeepStrictEqual(shown.body, {
    purpose: 'invite',
    project: { id: server.acme.id, name: 'Acme' },
    email: operator.email,
    has_account: false,
  })
  const answer = await accept(token, { name: 'Nina N', password }, browser)
  assert.deepEqual([answer.status, answer.body], [200, { project_id: server.acme.id, is_signed_in: true }])
  const me = await browser.own.get('/me')
  assert.partialDeepStrictEqual(me.body, {
    user: { name: 'Nina N', email: operator.email },
    memberships: [{ role: 'admin', operator_id: operator.id }],
  })
  assert.equal((await olga.api.get(`/operators/${operator.id}`)).body.has_account, true)
})

test('a link works once, then answers LINK_USED', async () => {
  const { token } = await invite(olga)
  assert.equal((await accept(token)).status, 200)
  assertEnvelope(await accept(token), 410, 'LINK_USED', { purpose: 'invite' })
  assertEnvelope(await openBrowser(server).own.get(`/links/${token}`), 410, 'LINK_USED')
})

test('if several people use a link concurrently, one succeeds', async () => {
  const { token, operator } = await invite(olga)
  const answers = await Promise.all(Array.from({ length: 5 }, () => accept(token)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 410, 410, 410, 410])
  const users = await server.db`select from users where email = ${operator.email}`
  assert.equal(users.count, 1)
})

test('an expired link answers LINK_EXPIRED, and an unknown one is not found', async () => {
  const { token } = await invite(olga)
  await server.db`update links set expires_at = now() where used_at is null`
  assertEnvelope(await accept(token), 410, 'LINK_EXPIRED', { purpose: 'invite' })
  assertEnvelope(await openBrowser(server).own.get(`/links/${token}`), 410, 'LINK_EXPIRED')
  assertEnvelope(await accept('never-made'), 404, 'LINK_NOT_FOUND')
})

test('a link still works after an attempt with an invalid form', async () => {
  const { token } = await invite(olga)
  assertProblems(await accept(token, { password }), 'body.name:missing')
  assertProblems(await accept(token, { name: 'Nina' }), 'body.password:missing')
  assertProblems(await accept(token, { name: 'Nina', password: 'too short' }), 'body.password')
  assert.equal((await accept(token)).status, 200)
})

test('the database does not contain the tokens of links', async () => {
  const { token } = await invite(olga)
  const rows =
    await server.db`select from links where token_hash in (${Buffer.from(token)}, ${Buffer.from(token, 'base64url')})`
  assert.equal(rows.count, 0)
})

test('a new invitation replaces the earlier one', async () => {
  const { token, operator } = await invite(olga)
  const again = await olga.api.post(`/operators/${operator.id}/invitation`)
  assert.equal(again.status, 201, again.text)
  assertEnvelope(await accept(token), 404, 'LINK_NOT_FOUND')
  assert.equal((await accept(tokenOf(again.body.link.url))).status, 200)
  assertEnvelope(await olga.api.post(`/operators/${operator.id}/invitation`), 409, 'INVITATION_ACCEPTED')
})

test('a withdrawn invitation no longer works', async () => {
  const { token, operator } = await invite(olga)
  assert.equal((await olga.api.delete(`/operators/${operator.id}`)).status, 204)
  assertEnvelope(await accept(token), 404, 'LINK_NOT_FOUND')
})

test('a person with an account must sign in to it to join', async () => {
  const { token } = await invite(olga, { email: rita.email, name: 'Rita' })
  const shown = await openBrowser(server).own.get(`/links/${token}`)
  assert.equal(shown.body.has_account, true)
  assertEnvelope(await accept(token), 409, 'SIGN_IN_FIRST', { email: rita.email })
  assert.deepEqual((await accept(token, {}, rita)).body, {
    project_id: server.acme.id,
    is_signed_in: true,
  })
  const { body } = await rita.own.get('/me')
  assert.deepEqual(
    body.memberships.map((one: { project: { name: string } }) => one.project.name),
    ['Acme', 'Rival'],
  )
})

test('a person cannot join a project twice', async () => {
  const { token } = await invite(olga)
  assertEnvelope(await accept(token, {}, omar), 409, 'OPERATOR_EXISTS')
  assertEnvelope(
    await olga.api.post('/operators', { name: 'Omar', email: omar.email.toUpperCase() }),
    409,
    'OPERATOR_EXISTS',
  )
})

test('the set-up link creates the first owner, who enters the address', async () => {
  const { token } = await createLink(server.db, { purpose: 'set_up', project_id: server.rival.id })
  assertProblems(await accept(token), 'body.email:missing')
  const browser = openBrowser(server)
  const email = `${unique()}@example.com`
  const answer = await accept(token, { name: 'Sven', email, password }, browser)
  assert.deepEqual([answer.status, answer.body.project_id], [200, server.rival.id])
  const { body } = await browser.own.get('/me')
  assert.deepEqual([body.user.email, body.memberships[0].role], [email, 'owner'])
})
