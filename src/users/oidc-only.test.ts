import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { comeBack, errorIn, isSignedIn, signInAt } from '../../test/at-provider.ts'
import { makeDepartment, unique } from '../../test/cast.ts'
import { assertEnvelope } from '../../test/client.ts'
import { startProvider } from '../../test/oidc.ts'
import { type Browser, openBrowser, password } from '../../test/operator.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { readConfig } from '../core/config/config.ts'
import { newId } from '../core/ids.ts'
import { createOperator, listRevokedSessions } from '../operators/operators.ts'
import { createUser, openUsers } from './accounts.ts'
import { createLink } from './links.ts'

/** An installation where people sign in only at the provider, which requires two steps and sets roles by groups. */

let provider: Awaited<ReturnType<typeof startProvider>>
let server: TestServer
let olga: Browser & { email: string; id: string }
before(async () => {
  provider = await startProvider()
  const config = {
    ...provider.settings,
    oidcOnly: 'on' as const,
    oidcSecondStep: 'provider' as const,
    oidcSignOut: 'on' as const,
    oidcScopes: 'openid email profile groups',
    oidcGroups: readConfig({ OIDC_GROUPS: 'owners=owner,leads=admin:Billing,sales%2C north=operator:Sales' })
      .oidcGroups,
  }
  server = await startServer({ config, delivers: false })
  olga = await join('owner', ['owners'])
})
after(async () => {
  await server?.close()
  await provider?.close()
})

const deps = () => ({
  ...server,
  isAwaited: async () => false,
  onArrival: async () => {},
  onLock: async () => {},
  onSecurityChange: () => {},
})

const newEmail = () => `${unique()}@example.com`

/** A person with an invitation, who is in these groups at the provider. */
async function join(role: 'owner' | 'admin' | 'operator', groups: string[], project = server.acme) {
  const email = newEmail()
  const { id } = await createOperator(server.db, project.id, { name: 'Nina', email, role })
  await createLink(server.db, { purpose: 'invite', project_id: project.id, operator_id: id, email })
  const browser = openBrowser(server)
  provider.know({ email, email_verified: true, name: 'Nina', groups })
  assert.equal(errorIn(await comeBack(browser, email)), null)
  return { ...browser, email, id }
}

const roleOf = async (id: string) => {
  const { role, department_ids } = (await olga.of(server.acme).get(`/operators/${id}`)).body
  return { role, department_ids }
}

test('passwords, passkeys and links for a new password do not work', async () => {
  const browser = openBrowser(server)
  assert.equal((await browser.own.get('/sign-in')).body.takes_passwords, false)
  const closed = ['/sign-in/email', '/passkey/verify-authentication', '/change-password']
  for (const path of closed)
    assert.equal((await browser.auth.post(path, { email: olga.email, password })).status, 404)
  const project_id = server.acme.id
  const { token } = await createLink(server.db, { purpose: 'set_up', project_id })
  const body = { email: newEmail(), name: 'Nina', password }
  assertEnvelope(await browser.own.post(`/links/${token}`, body), 403, 'PASSWORDS_OFF')
  const { id } = await join('operator', [])
  assertEnvelope(await olga.of(server.acme).post(`/operators/${id}/reset`), 403, 'PASSWORDS_OFF')
})

test('the first owner uses the link and the provider', async () => {
  const { token } = await createLink(server.db, { purpose: 'set_up', project_id: server.rival.id })
  const email = newEmail()
  const browser = openBrowser(server)
  provider.know({ email, email_verified: true, name: 'Rita', groups: [] })
  await comeBack(browser, email, { to: `/link/${token}?join=true` })
  assert.equal((await browser.own.post(`/links/${token}`, {})).status, 200)
  assert.partialDeepStrictEqual((await browser.own.get('/me')).body.memberships, [{ role: 'owner' }])
})

test('a session that began with a password is not valid', async () => {
  const { email, ...browser } = await join('operator', [])
  await server.db`update user_sessions set provider = null
    where user_id = (select id from users where email = ${email})`
  assert.equal(await isSignedIn(browser), false)
})

test('an account with an unproven address goes to the person who proves it, without its earlier ways to sign in', async () => {
  const email = newEmail()
  const id = (await createUser(server.db, { name: 'Mallory', email, hash: 'hash' }))!
  await server.db`insert into passkeys (id, user_id, public_key, credential_id, counter, device_type, backed_up)
    values (${newId()}, ${id}, 'key', ${unique()}, 0, 'singleDevice', false)`
  await server.db`update users set two_factor_enabled = true where id = ${id}`
  const browser = openBrowser(server)
  provider.know({ email, email_verified: false })
  assert.equal(errorIn(await comeBack(browser, email)), 'account_not_linked')
  assert.equal(errorIn(await signInAt(provider, browser, email)), null)
  assert.partialDeepStrictEqual((await browser.own.get('/me')).body.user, {
    id,
    has_password: false,
    has_second_factor: false,
  })
  assert.equal((await server.db`select from passkeys where user_id = ${id}`).count, 0)
})

test('a sign-in at a provider that requires two steps is enough for a project that requires them', async () => {
  assert.equal((await olga.of(server.acme).patch('/security', { requires_second_factor: true })).status, 200)
  assert.equal((await olga.own.get('/me')).body.user.meets_second_factor, true)
  const [session] = await server.db<{ id: string }[]>`
    select s.id from user_sessions s join users u on u.id = s.user_id where u.email = ${olga.email}`
  const { id: projectId } = server.acme
  const asked = [{ id: 'tab', sessionId: session!.id, operatorId: olga.id }]
  assert.equal((await listRevokedSessions(server.db, projectId, asked, true)).revoked.size, 0)
  assert.equal((await listRevokedSessions(server.db, projectId, asked, false)).revoked.size, 1)
})

test('groups set role and departments at each sign-in, and departments without a group stay', async () => {
  const [billing, sales, other] = await Promise.all(
    ['Billing', 'Sales', 'Other'].map(name => makeDepartment(server.db, server.acme, name)),
  )
  const { id, email, ...browser } = await join('operator', ['leads', 'sales, north', 'more'])
  const all = { role: 'admin', department_ids: [billing!.id, sales!.id].sort() }
  assert.deepEqual(await roleOf(id), all)
  await olga.of(server.acme).patch(`/operators/${id}`, { department_ids: [...all.department_ids, other!.id] })
  provider.know({ email, email_verified: true, groups: ['sales, north'] })
  await comeBack(browser, email)
  const fewer = { role: 'operator', department_ids: [sales!.id, other!.id].sort() }
  assert.deepEqual(await roleOf(id), fewer)
  const log = (await olga.of(server.acme).get('/audit')).body.items
  assert.partialDeepStrictEqual(
    log.find((one: { action: string }) => one.action === 'operator.changed'),
    { author_type: 'system' },
  )
})

test('groups are read from the identity token or from the userinfo endpoint', async () => {
  const { id, email, ...browser } = await join('operator', [])
  const person = { email, email_verified: true }
  provider.know({ ...person, groups: ['leads'] }, person)
  await comeBack(browser, email)
  assert.equal((await roleOf(id)).role, 'admin')
  provider.know(person, { ...person, groups: [] })
  await comeBack(browser, email)
  assert.equal((await roleOf(id)).role, 'operator')
  provider.know(person, { groups: ['leads'] })
  await comeBack(browser, email)
  assert.equal((await roleOf(id)).role, 'admin')
})

test('an invitation by a link gets the role of the groups too', async () => {
  const email = newEmail()
  const { id } = await createOperator(server.db, server.acme.id, { name: 'Nina', email: newEmail() })
  const link = { purpose: 'invite' as const, project_id: server.acme.id, operator_id: id, email }
  const { token } = await createLink(server.db, link)
  const browser = openBrowser(server)
  provider.know({ email, email_verified: true, groups: ['leads'] })
  await comeBack(browser, email, { to: `/link/${token}` })
  assert.equal((await browser.own.post(`/links/${token}`, {})).status, 200)
  assert.equal((await roleOf(id)).role, 'admin')
})

test('a project keeps its last owner, whatever the groups are', async () => {
  provider.know({ email: olga.email, email_verified: true, groups: ['sales, north'] })
  await comeBack(olga, olga.email)
  assert.equal((await roleOf(olga.id)).role, 'owner')
})

test('signing out redirects to the provider and back, even in a process that has not used the provider before', async () => {
  const cookie = [...olga.cookies].map(pair => pair.join('=')).join('; ')
  const headers = { cookie, origin: 'http://localhost', 'content-type': 'application/json' }
  const body = JSON.stringify({ callbackURL: '/sign-in', disableRedirect: true })
  const answer = await openUsers(deps()).answer(
    new Request('http://localhost/api/auth/sign-out', { method: 'POST', headers, body }),
  )
  const { origin, searchParams } = new URL(((await answer.json()) as { url: string }).url)
  assert.equal(origin, provider.issuer)
  assert.equal(searchParams.get('post_logout_redirect_uri'), 'http://localhost/sign-in')
  assert.ok(searchParams.get('id_token_hint'))
  assert.equal(await isSignedIn(olga), false)
})

test('refuses to start if people may only sign in at the provider and there is none', () => {
  const config = { ...server.config, oidcIssuer: null }
  assert.throws(() => openUsers({ ...deps(), config }), /OIDC_ONLY: set OIDC_ISSUER too/)
})
