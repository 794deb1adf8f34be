import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { comeBack, errorIn, isSignedIn, signInAt } from '../../test/at-provider.ts'
import { codeOf } from '../../test/authenticator.ts'
import { unique } from '../../test/cast.ts'
import { passProvider, startProvider } from '../../test/oidc.ts'
import { joinCast, joinProject, openBrowser, type Person, password } from '../../test/operator.ts'
import { startServer, type TestServer } from '../../test/server.ts'

let provider: Awaited<ReturnType<typeof startProvider>>
let server: TestServer
let olga: Person
let omar: Person
let rita: Person
before(async () => {
  provider = await startProvider()
  server = await startServer({ config: provider.settings, delivers: false })
  ;({ olga, omar, rita } = await joinCast(server))
})
after(async () => {
  await server?.close()
  await provider?.close()
})

const newEmail = () => `${unique()}@example.com`

async function invite(email: string, by = olga): Promise<{ id: string; path: string }> {
  const { body } = await by.api.post('/operators', { name: 'Nina', email })
  return { id: body.operator.id, path: new URL(body.link.url).pathname }
}

const begin = () => openBrowser(server).auth.post('/sign-in/social', { provider: 'oidc', callbackURL: '/' })

test('a provider that does not respond does not delay a sign-in with a password', {
  timeout: 60_000,
}, async context => {
  const other = await startServer({ config: provider.settings, delivers: false })
  context.after(() => other.close())
  provider.be('silent')
  const answer = await openBrowser(other).auth.post('/sign-in/email', { email: newEmail(), password })
  provider.be('there')
  assert.equal(answer.status, 401, answer.text)
})

// Before all other tests that use the provider, because its addresses are fetched at the first use.
test('an unavailable provider is reported, and tried again at the next use', async () => {
  provider.be('failing')
  const answer = await begin()
  assert.deepEqual([answer.status, answer.body.code], [424, 'PROVIDER_AWAY'])
  provider.be('there')
  assert.equal((await begin()).status, 200)
})

test('the sign-in page gets the name of the provider, and whether passwords work', async () => {
  const { body } = await openBrowser(server).own.get('/sign-in')
  assert.deepEqual([body.oidc_name, body.takes_passwords], ['Example ID', true])
})

test('a person without an invitation cannot sign in', async () => {
  const browser = openBrowser(server)
  const email = newEmail()
  const to = await signInAt(provider, browser, email)
  assert.deepEqual([to.pathname, errorIn(to)], ['/sign-in', 'not_invited'])
  assert.equal(await isSignedIn(browser), false)
  assert.equal((await server.db`select from users where email = ${email}`).count, 0)
})

test('signing in at the provider before opening the invitation joins the project that invited the address', async () => {
  const email = newEmail()
  const { id } = await invite(email)
  const browser = openBrowser(server)
  assert.equal((await signInAt(provider, browser, email)).pathname, '/')
  const { body } = await browser.own.get('/me')
  assert.partialDeepStrictEqual(body, { user: { email, name: 'Nina', has_password: false } })
  assert.deepEqual(
    body.memberships.map((one: { operator_id: string }) => one.operator_id),
    [id],
  )
  const [row] =
    await server.db`select count(*)::int as open from links where operator_id = ${id} and used_at is null`
  assert.equal(row!.open, 0)
  const again = openBrowser(server)
  await comeBack(again, email)
  assert.equal(await isSignedIn(again), true)
})

test('a member of one project joins another one only by accepting the invitation', async () => {
  const email = newEmail()
  await invite(email)
  const browser = openBrowser(server)
  await signInAt(provider, browser, email)
  const { path } = await invite(email, rita)
  await comeBack(browser, email)
  assert.equal((await browser.own.get('/me')).body.memberships.length, 1)
  assert.equal((await browser.own.post(path.replace('/link', '/links'), {})).status, 200)
  assert.equal((await browser.own.get('/me')).body.memberships.length, 2)
})

test('an invitation is not valid if its creator has left the project', async () => {
  const email = newEmail()
  const { id } = await invite(email)
  await server.db`update links set made_by = (select id from users where email = ${rita.email}) where operator_id = ${id}`
  const browser = openBrowser(server)
  assert.equal(errorIn(await signInAt(provider, browser, email)), 'not_invited')
})

test('an opened invitation can be accepted with another address of the provider', async () => {
  const { id, path } = await invite(newEmail())
  const email = newEmail()
  const browser = openBrowser(server)
  const to = await signInAt(provider, browser, email, { to: `${path}?join=true` })
  assert.equal(to.pathname, path)
  assert.equal((await browser.own.get('/me')).body.memberships.length, 0)
  assert.equal((await browser.own.post(path.replace('/link', '/links'), {})).status, 200)
  assert.partialDeepStrictEqual((await browser.own.get('/me')).body.memberships, [{ operator_id: id }])
})

test('the redirect from the provider leaves no token of a link in the database', async () => {
  const { path } = await invite(newEmail())
  const to = await openBrowser(server).auth.post('/sign-in/social', { provider: 'oidc', callbackURL: path })
  assert.equal(to.status, 200)
  const rows = await server.db`select from user_tokens where value like ${`%${path}%`}`
  assert.equal(rows.count, 0)
})

test('a used link does not create an account', async () => {
  const { path } = await invite(newEmail())
  await signInAt(provider, openBrowser(server), newEmail(), { to: path })
  await server.db`update links set used_at = now() where used_at is null`
  const to = await signInAt(provider, openBrowser(server), newEmail(), { to: path })
  assert.equal(errorIn(to), 'not_invited')
})

test('an address that the provider has not verified creates no account, and the reason is reported', async () => {
  const email = newEmail()
  await invite(email)
  const browser = openBrowser(server)
  for (const verified of [{ email_verified: false }, {}]) {
    provider.know({ email, ...verified })
    assert.equal(errorIn(await comeBack(browser, email)), 'email_not_verified')
  }
  assert.equal(await isSignedIn(browser), false)
})

test('a trusted issuer need not confirm that an address is verified, but one it reports as not verified is refused', async () => {
  const email = newEmail()
  await invite(email)
  const browser = openBrowser(server)
  server.config.oidcTrustEmail = 'on'
  provider.know({ email, email_verified: false })
  assert.equal(errorIn(await comeBack(browser, email)), 'email_not_verified')
  provider.know({ email })
  assert.equal(errorIn(await comeBack(browser, email)), null)
  server.config.oidcTrustEmail = 'off'
  assert.equal((await browser.own.get('/me')).body.memberships.length, 1)
})

test('email_verified is read from the identity token or from the userinfo endpoint', async () => {
  const email = newEmail()
  await invite(email)
  const browser = openBrowser(server)
  server.config.oidcTrustEmail = 'on'
  provider.know({ email, email_verified: false }, { email })
  assert.equal(errorIn(await comeBack(browser, email)), 'email_not_verified')
  server.config.oidcTrustEmail = 'off'
  provider.know({ email, email_verified: true }, { email })
  assert.equal(errorIn(await comeBack(browser, email)), null)
})

test('an account with an unproven address is not taken over by a sign-in at the provider', async () => {
  const browser = openBrowser(server)
  const to = await signInAt(provider, browser, omar.email)
  assert.deepEqual([to.pathname, errorIn(to)], ['/sign-in', 'account_not_linked'])
  assert.equal(await isSignedIn(browser), false)
})

test('a signed-in person can connect the provider, and sign in there from then on', async () => {
  const to = await signInAt(provider, omar, omar.email, { from: '/link-social', to: '/account/security' })
  assert.deepEqual([to.pathname, errorIn(to)], ['/account/security', null])
  const browser = openBrowser(server)
  assert.equal((await comeBack(browser, omar.email)).pathname, '/')
  assert.equal((await browser.own.get('/me')).body.user.email, omar.email)
})

test('a callback in another browser signs nobody in', async () => {
  const { body } = await begin()
  const { search } = await passProvider(body.url, omar.email)
  const browser = openBrowser(server)
  await browser.auth.get(`/callback/oidc${search}`)
  assert.equal(await isSignedIn(browser), false)
})

test('a posted identity token signs nobody in', async () => {
  const { id_token } = (await server.db`select id_token from user_logins where id_token is not null`)[0]!
  for (const path of ['/sign-in/social', '/link-social']) {
    const answer = await omar.auth.post(path, { provider: 'oidc', idToken: { token: id_token } })
    assert.deepEqual([answer.status, answer.body.code], [400, 'ID_TOKEN_NOT_SUPPORTED'])
  }
})

test('signing in does not redirect to another site', async () => {
  const body = { provider: 'oidc', callbackURL: 'https://evil.example/' }
  assert.equal((await openBrowser(server).auth.post('/sign-in/social', body)).status, 403)
})

test("the provider's tokens cannot be read in the database", async () => {
  const rows = await server.db<{ access_token: string }[]>`
    select access_token from user_logins where provider_id = 'oidc'`
  assert.ok(rows.length > 0)
  // Tokens of the provider are 43 characters of base64.
  assert.ok(rows.every(({ access_token }) => access_token.length > 60))
})

test('people with a second factor are asked for it after the provider too, and join no project before', async () => {
  const person = await joinProject(server, server.acme)
  await signInAt(provider, person, person.email, { from: '/link-social' })
  const { totpURI, backupCodes } = (await person.auth.post('/two-factor/enable', { password })).body
  await person.auth.post('/two-factor/verify-totp', { code: codeOf(totpURI) })
  await server.db`update operators set user_id = null where id = ${person.id}`
  const { path } = await invite(person.email, rita)
  const browser = openBrowser(server)
  const to = await comeBack(browser, person.email, { to: path })
  assert.equal(`${to.pathname}${to.search}`, `/sign-in?step=second&next=${encodeURIComponent(path)}`)
  assert.equal(await isSignedIn(browser), false)
  const code = backupCodes[0]
  assert.equal((await browser.auth.post('/two-factor/verify-backup-code', { code })).status, 200)
  assert.deepEqual((await browser.own.get('/me')).body.memberships, [])
})

test('a session that replaces one from the provider counts as one too, and a sign-in with a password does not', async () => {
  const person = await joinProject(server, server.acme)
  await signInAt(provider, person, person.email, { from: '/link-social' })
  const browser = openBrowser(server)
  await comeBack(browser, person.email)
  const newest = async () => {
    const [session] = await server.db`
      select s.provider from user_sessions s join users u on u.id = s.user_id
      where u.email = ${person.email} order by s.created_at desc limit 1`
    return session!.provider
  }
  const change = { currentPassword: password, newPassword: unique(), revokeOtherSessions: true }
  assert.equal((await browser.auth.post('/change-password', change)).status, 200)
  assert.equal(await newest(), 'oidc')
  const { totpURI } = (await browser.auth.post('/two-factor/enable', { password: change.newPassword })).body
  await browser.auth.post('/two-factor/verify-totp', { code: codeOf(totpURI) })
  assert.equal((await browser.auth.post('/two-factor/disable', { password: change.newPassword })).status, 200)
  assert.equal(await newest(), 'oidc')
  const body = { email: person.email, password: change.newPassword }
  assert.equal((await browser.auth.post('/sign-in/email', body)).status, 200)
  assert.equal(await newest(), null)
})

test('if the provider refuses the client secret, the log says so without the secret', async context => {
  const config = { ...provider.settings, oidcClientSecret: 'another' }
  const other = await startServer({ config, delivers: false })
  context.after(() => other.close())
  const lines = context.mock.method(other.log, 'warn')
  const to = await signInAt(provider, openBrowser(other), newEmail())
  assert.equal(errorIn(to), 'invalid_code')
  const said = JSON.stringify(lines.mock.calls.map(call => call.arguments))
  assert.match(said, /invalid_client/)
  assert.ok(!said.includes('another'))
})

test('logs the cause of a refused sign-in', async context => {
  const lines = context.mock.method(server.log, 'warn')
  const email = newEmail()
  await signInAt(provider, openBrowser(server), email)
  await invite(email)
  provider.know({ email, email_verified: false })
  await comeBack(openBrowser(server), email)
  await signInAt(provider, openBrowser(server), rita.email)
  const said = 'A sign-in at the provider did not succeed'
  const refused = lines.mock.calls.map(call => call.arguments).filter(([, text]) => text === said)
  assert.deepEqual(
    refused.map(([fields]) => fields),
    ['not_invited', 'email_not_verified', 'account_not_linked'].map(cause => ({ from: 'sign-in', cause })),
  )
})

test('logs no warning for a successful sign-in', async context => {
  const lines = context.mock.method(server.log, 'warn')
  const email = newEmail()
  await invite(email)
  await signInAt(provider, openBrowser(server), email)
  assert.equal(lines.mock.callCount(), 0)
})
