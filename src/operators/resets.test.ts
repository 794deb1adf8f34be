import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import { unique } from '../../test/cast.ts'
import { assertEnvelope, assertProblems } from '../../test/client.ts'
import { startMailbox } from '../../test/mailbox.ts'
import { startMailingServer } from '../../test/mailing-server.ts'
import { joinCast, joinProject, openBrowser, type Person, password } from '../../test/operator.ts'
import { startServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'

const { server, mailbox } = await startMailingServer()
let olga: Person
let omar: Person
let rita: Person
before(async () => {
  ;({ olga, omar, rita } = await joinCast(server))
})
beforeEach(() => server.db`delete from sign_in_attempts`)

const fresh = 'another horse battery'
const ask = (email: string) => openBrowser(server).own.post('/resets', { email })
const open = (token: string, body: object = { password: fresh }, browser = openBrowser(server)) =>
  browser.own.post(`/links/${token}`, body)
const signIn = async (email: string, given: string) =>
  (await openBrowser(server).auth.post('/sign-in/email', { email, password: given })).status

const mailsTo = (email: string) => mailbox.mails.filter(({ to }) => to.includes(email))
async function mailedToken(email: string): Promise<string> {
  const mail = await until(async () => mailsTo(email).findLast(({ text }) => text.includes('/link/')))
  return /\/link\/([\w-]{43})/.exec(mail.text.replaceAll('=3D', '='))![1]!
}

test('a mailed reset link sets a new password, ends all sessions and signs in', async () => {
  const person = await joinProject(server, server.acme)
  const answer = await ask(person.email.toUpperCase())
  assert.deepEqual([answer.status, answer.text], [204, ''])
  const token = await mailedToken(person.email)
  const shown = await openBrowser(server).own.get(`/links/${token}`)
  assert.partialDeepStrictEqual(shown.body, { purpose: 'reset', email: person.email, has_account: true })
  const browser = openBrowser(server)
  assert.deepEqual((await open(token, { password: fresh }, browser)).body, {
    project_id: null,
    is_signed_in: true,
  })
  assert.equal((await browser.own.get('/me')).status, 200)
  assert.equal((await person.own.get('/me')).status, 401)
  assert.deepEqual([await signIn(person.email, password), await signIn(person.email, fresh)], [401, 200])
  assertEnvelope(await open(token), 410, 'LINK_USED', { purpose: 'reset' })
})

test('an unknown address gets the same response, and no mail', async () => {
  const [unknown, known] = [`${unique()}@example.com`, omar.email]
  const answers = [await ask(unknown), await ask(known)]
  assert.deepEqual(
    answers.map(({ status, text }) => [status, text]),
    [
      [204, ''],
      [204, ''],
    ],
  )
  await mailedToken(known)
  assert.deepEqual(mailsTo(unknown), [])
  assertProblems(await ask('no address'), 'body.email')
})

test('repeated requests do not flood a mailbox', async () => {
  const person = await joinProject(server, server.acme)
  for (let i = 0; i < 6; i++) assert.equal((await ask(person.email)).status, 204)
  await ask(rita.email)
  await mailedToken(rita.email)
  const links = mailsTo(person.email).filter(({ text }) => text.includes('/link/'))
  assert.ok(links.length <= 3, String(links.length))
})

test('a reset link unlocks an account that failed attempts have locked', async () => {
  const person = await joinProject(server, server.acme)
  for (let i = 0; i < 6; i++) await signIn(person.email, 'not this one')
  assert.equal(await signIn(person.email, password), 429)
  const { body } = await olga.api.post(`/operators/${person.id}/reset`)
  assert.equal((await open(body.url.split('/link/')[1])).status, 200)
  assert.equal(await signIn(person.email, fresh), 200)
})

test('a person with a second factor is not signed in by a reset', async () => {
  const person = await joinProject(server, server.acme)
  await server.db`update users set two_factor_enabled = true where email = ${person.email}`
  const { body } = await olga.api.post(`/operators/${person.id}/reset`)
  const browser = openBrowser(server)
  const answer = await open(body.url.split('/link/')[1], { password: fresh }, browser)
  assert.deepEqual(answer.body, { project_id: null, is_signed_in: false })
  assert.equal((await browser.own.get('/me')).status, 401)
})

test('an admin can create a reset link for operators, but not for an owner', async () => {
  const admin = await joinProject(server, server.acme, { name: 'Adam', role: 'admin' })
  assert.equal((await admin.api.post(`/operators/${omar.id}/reset`)).status, 201)
  assertEnvelope(await admin.api.post(`/operators/${olga.id}/reset`), 403, 'RESET_NOT_ALLOWED')
  assertEnvelope(await omar.api.post(`/operators/${olga.id}/reset`), 403, 'ROLE_REQUIRED')
})

test('a reset link is refused for a person who is also in another project', async () => {
  const invited = await olga.api.post('/operators', { name: 'Rita', email: rita.email })
  const id = invited.body.operator.id
  assertEnvelope(await olga.api.post(`/operators/${id}/reset`), 409, 'INVITATION_PENDING')
  await open(invited.body.link.url.split('/link/')[1], {}, rita)
  assertEnvelope(await olga.api.post(`/operators/${id}/reset`), 403, 'RESET_NOT_ALLOWED')
})

test('without a mail server, the sign-in page says so and the link can be handed over', async context => {
  const silent = await startServer({ delivers: false })
  context.after(() => silent.close())
  const { olga } = await joinCast(silent)
  assert.deepEqual((await openBrowser(silent).own.get('/sign-in')).body, {
    oidc_name: null,
    sends_mail: false,
    takes_passwords: true,
  })
  assert.equal((await openBrowser(silent).own.post('/resets', { email: olga.email })).status, 204)
  const { body } = await olga.api.post('/operators', { name: 'Nina', email: 'nina@example.com' })
  assert.equal(body.link.is_mailed, false)
  assert.match(body.link.url, /^http:\/\/localhost\/link\/[\w-]{43}$/)
})

test('an invitation is kept if the mail server refuses it', async context => {
  const refusing = await startMailbox(() => true)
  context.after(() => refusing.close())
  const config = { smtpUrl: refusing.url, mailFrom: 'desk@example.com' }
  const other = await startServer({ config, delivers: false })
  context.after(() => other.close())
  const { olga } = await joinCast(other)
  const { status, body } = await olga.api.post('/operators', { name: 'Nina', email: 'nina@example.com' })
  assert.deepEqual([status, body.link.is_mailed], [201, false])
})

/** Earlier versions only converted an address to lower case. The mail server decodes its domain, as in `folded`. */
async function joinAsBefore() {
  const person = await joinProject(server, server.acme)
  const name = unique()
  const stored = `${name}@xn--bcher-kva.example`
  await server.db`update users set email = ${stored} where email = ${person.email}`
  await server.db`update operators set email = ${stored} where project_id = ${server.acme.id} and id = ${person.id}`
  return { ...person, stored, folded: `${name}@bücher.example` }
}

test('an account with an address in the older form can sign in and reset its password', async () => {
  const { stored, folded } = await joinAsBefore()
  assert.equal(await signIn(stored.toUpperCase(), password), 200)
  assert.equal((await ask(stored)).status, 204)
  assert.equal((await open(await mailedToken(folded))).status, 200)
  assert.deepEqual([await signIn(stored, password), await signIn(stored, fresh)], [401, 200])
})

test('a reset unlocks an account with an address in the older form', async () => {
  const { stored, folded } = await joinAsBefore()
  for (let tries = 0; tries < 10; tries++) await signIn(stored, 'wrong')
  assert.equal(await signIn(stored, password), 429)
  await ask(stored)
  assert.equal((await open(await mailedToken(folded))).status, 200)
  assert.equal(await signIn(stored, fresh), 200)
})

test('an address in the older form prevents a second account and a second operator', async () => {
  const { stored, folded } = await joinAsBefore()
  for (const email of [stored, folded]) {
    assertEnvelope(await olga.api.post('/operators', { name: 'Twin', email }), 409, 'OPERATOR_EXISTS')
    const { body } = await rita.api.post('/operators', { name: 'Twin', email })
    const token = body.link.url.split('/link/')[1]
    assertEnvelope(await open(token, { name: 'Twin', password }), 409, 'SIGN_IN_FIRST')
    await server.db`delete from operators where project_id = ${server.rival.id} and id = ${body.operator.id}`
  }
})

test('of two old accounts with the same mailbox, the exact spelling selects one', async () => {
  const { stored, folded } = await joinAsBefore()
  const other = await joinProject(server, server.acme)
  await server.db`update users set email = ${folded} where email = ${other.email}`
  const browser = openBrowser(server)
  await browser.auth.post('/sign-in/email', { email: stored, password })
  assert.equal((await browser.own.get('/me')).body.user.email, stored)
})
