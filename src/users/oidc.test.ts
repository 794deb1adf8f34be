import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { unique } from '../../test/cast.ts'
import { startProvider } from '../../test/oidc.ts'
import { type Browser, joinCast, openBrowser, type Person } from '../../test/operator.ts'
import { startServer, type TestServer } from '../../test/server.ts'

let provider: Awaited<ReturnType<typeof startProvider>>
let server: TestServer
let olga: Person
let omar: Person
before(async () => {
  provider = await startProvider()
  const config = {
    oidcIssuer: provider.issuer,
    oidcClientId: 'deskbell',
    oidcClientSecret: 'secret',
    oidcName: 'Example ID',
  }
  server = await startServer({ config, delivers: false })
  ;({ olga, omar } = await joinCast(server))
})
after(async () => {
  await server.close()
  await provider.close()
})

interface Identity {
  email: string
  email_verified?: boolean
  sub?: string
}

/** Where the browser is sent when it comes back from the provider. */
async function signIn(browser: Browser, { email, email_verified = true, sub = email }: Identity) {
  const begun = await browser.auth.post('/sign-in/social', { provider: 'oidc', callbackURL: '/' })
  assert.equal(begun.status, 200, begun.text)
  const query = provider.authorize(begun.body.url, { sub, email, email_verified, name: 'Nina' })
  const answer = await browser.auth.get(`/callback/oidc${query}`)
  assert.equal(answer.status, 302, answer.text)
  return new URL(answer.headers.get('location')!, 'http://localhost')
}

const isSignedIn = async (browser: Browser): Promise<boolean> => (await browser.own.get('/me')).status === 200

test('the sign-in page is told what the provider is called', async () => {
  const { body } = await openBrowser(server).own.get('/sign-in')
  assert.equal(body.oidc_name, 'Example ID')
})

test('nobody gets in whom nobody has invited', async () => {
  const browser = openBrowser(server)
  const email = `${unique()}@example.com`
  const to = await signIn(browser, { email })
  assert.deepEqual([to.pathname, to.searchParams.get('error')], ['/sign-in', 'not_invited'])
  assert.equal(await isSignedIn(browser), false)
  assert.equal((await server.db`select from users where email = ${email}`).count, 0)
})

test('somebody who is invited gets an account, and joins by the link', async () => {
  const email = `${unique()}@example.com`
  const { body } = await olga.api.post('/operators', { name: 'Nina', email })
  const browser = openBrowser(server)
  assert.equal((await signIn(browser, { email })).pathname, '/')
  const token = body.link.url.split('/link/')[1]
  assert.equal((await browser.own.post(`/links/${token}`, {})).status, 200)
  const me = await browser.own.get('/me')
  assert.partialDeepStrictEqual(me.body, {
    user: { email, has_password: false },
    memberships: [{ operator_id: body.operator.id }],
  })
  const again = openBrowser(server)
  await signIn(again, { email })
  assert.equal(await isSignedIn(again), true)
})

test('an address that the provider has not verified makes no account', async () => {
  const email = `${unique()}@example.com`
  await olga.api.post('/operators', { name: 'Nina', email })
  const browser = openBrowser(server)
  await signIn(browser, { email, email_verified: false })
  assert.equal(await isSignedIn(browser), false)
})

test('an account whose address nobody has proven is not taken over by a sign-in elsewhere', async () => {
  const browser = openBrowser(server)
  assert.equal((await signIn(browser, { email: omar.email })).pathname, '/sign-in')
  assert.equal(await isSignedIn(browser), false)
})

test('whoever is signed in connects the provider, and signs in by it from then on', async () => {
  const begun = await omar.auth.post('/link-social', { provider: 'oidc', callbackURL: '/account' })
  assert.equal(begun.status, 200, begun.text)
  const claims = { sub: 'omar', email: omar.email, email_verified: true, name: 'Omar' }
  const answer = await omar.auth.get(`/callback/oidc${provider.authorize(begun.body.url, claims)}`)
  assert.equal(new URL(answer.headers.get('location')!, 'http://localhost').pathname, '/account')
  const browser = openBrowser(server)
  assert.equal((await signIn(browser, { email: omar.email, sub: 'omar' })).pathname, '/')
  assert.equal((await browser.own.get('/me')).body.user.email, omar.email)
})

test('a callback of another browser signs nobody in', async () => {
  const begun = await openBrowser(server).auth.post('/sign-in/social', { provider: 'oidc', callbackURL: '/' })
  const claims = { sub: 'omar', email: omar.email, email_verified: true, name: 'Omar' }
  const browser = openBrowser(server)
  await browser.auth.get(`/callback/oidc${provider.authorize(begun.body.url, claims)}`)
  assert.equal(await isSignedIn(browser), false)
})

test('nobody is sent to another site after signing in', async () => {
  const answer = await openBrowser(server).auth.post('/sign-in/social', {
    provider: 'oidc',
    callbackURL: 'https://evil.example/',
  })
  assert.equal(answer.status, 403)
})

test("the provider's tokens cannot be read in the database", async () => {
  const rows = await server.db<{ access_token: string }[]>`
    select access_token from user_logins where provider_id = 'oidc'`
  assert.ok(rows.length > 0)
  assert.ok(rows.every(({ access_token }) => access_token !== 'secret'))
})

test('a provider that is down keeps nobody from signing in with a password', async context => {
  const config = { oidcIssuer: 'http://127.0.0.1:9', oidcClientId: 'deskbell', oidcClientSecret: 'secret' }
  const other = await startServer({ config, delivers: false })
  context.after(() => other.close())
  const { olga } = await joinCast(other)
  assert.equal((await olga.own.get('/me')).status, 200)
})
