import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { unique } from '../../test/cast.ts'
import { assertBrief, assertEnvelope } from '../../test/client.ts'
import { type Browser, joinCast, openBrowser, type Person, password } from '../../test/operator.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'

let server: TestServer
let olga: Person
let omar: Person
let rita: Person
before(async () => {
  server = await startServer({ delivers: false })
  ;({ olga, omar, rita } = await joinCast(server))
})
after(() => server.close())
beforeEach(() => server.db`delete from sign_in_attempts`)

const signIn = (browser: Pick<Browser, 'auth'>, email: string, given = password) =>
  browser.auth.post('/sign-in/email', { email, password: given })

async function signedIn(email: string): Promise<Browser> {
  const browser = openBrowser(server)
  assert.equal((await signIn(browser, email)).status, 200)
  return browser
}

test('a correct password signs in, and /me shows the user and their memberships', async () => {
  const browser = openBrowser(server)
  const answer = await signIn(browser, olga.email.toUpperCase())
  assert.equal(answer.status, 200, answer.text)
  assert.ok(answer.headers.get('x-request-id'))
  const me = await browser.own.get('/me')
  assert.equal(me.body.user.email, olga.email)
  assert.partialDeepStrictEqual(me.body.memberships, [
    { project: { id: server.acme.id, name: 'Acme' }, operator_id: olga.id, role: 'owner' },
  ])
  assert.equal(me.body.memberships.length, 1)
})

test('cookies are hidden from scripts and from other sites, and do not name better-auth', async () => {
  const answer = await signIn(openBrowser(server), omar.email)
  const cookies = answer.headers.getSetCookie()
  assert.deepEqual(cookies.map(cookie => cookie.split('=')[0]).sort(), [
    'deskbell.known_browser',
    'deskbell.session_token',
  ])
  for (const cookie of cookies) {
    assert.match(cookie, /HttpOnly/i)
    assert.match(cookie, /SameSite=Lax/i)
  }
})

test('with an https URL, the cookie is sent over https only', async context => {
  const secure = await startServer({ config: { publicUrl: 'https://desk.example.com' }, delivers: false })
  context.after(() => secure.close())
  const { olga } = await joinCast(secure)
  const answer = await signIn(openBrowser(secure), olga.email)
  assert.match(
    answer.headers.getSetCookie().find(one => one.includes('session_token'))!,
    /^__Secure-deskbell\.session_token=.*; Secure/,
  )
  assert.equal((await olga.own.get('/me')).status, 200)
})

test('signing out ends the session, not only the cookie', async () => {
  const browser = await signedIn(omar.email)
  const kept = new Map(browser.cookies)
  assert.equal((await browser.auth.post('/sign-out', {})).status, 200)
  for (const [name, value] of kept) browser.cookies.set(name, value)
  assertEnvelope(await browser.own.get('/me'), 401, 'SESSION_REQUIRED')
})

test('sessions are listed, and one that is revoked elsewhere ends at once', async () => {
  const [here, there] = [await signedIn(rita.email), await signedIn(rita.email)]
  const { body } = await there.own.get('/me')
  assert.equal(body.user.email, rita.email)
  const listed: { id: string; is_current: boolean }[] = (await there.own.get('/me/sessions')).body.items
  const { id } = listed.find(session => session.is_current)!
  assert.ok(listed.length > 1)
  assert.equal((await omar.own.delete(`/me/sessions/${id}`)).status, 204)
  assert.equal((await there.own.get('/me')).status, 200)
  assert.equal((await here.own.delete(`/me/sessions/${id}`)).status, 204)
  assertEnvelope(await there.own.get('/me'), 401, 'SESSION_REQUIRED')
  assert.equal((await here.own.get('/me')).status, 200)
})

test("a person can end all their other sessions at once, and nobody else's", async () => {
  const [here, there] = [await signedIn(rita.email), await signedIn(rita.email)]
  assert.equal((await here.own.delete('/me/sessions')).status, 204)
  assertEnvelope(await there.own.get('/me'), 401, 'SESSION_REQUIRED')
  assert.equal((await here.own.get('/me/sessions')).body.items.length, 1)
  assert.equal((await olga.own.get('/me')).status, 200)
})

test('the database has only hashes of session tokens, which open no session', async () => {
  const browser = await signedIn(omar.email)
  const [name, cookie] = [...browser.cookies].find(([name]) => name.includes('session_token'))!
  const [token] = decodeURIComponent(cookie).split('.')
  const rows = await server.db<{ token: string }[]>`select token from user_sessions`
  assert.ok(rows.length > 0 && rows.every(row => row.token !== token))
  const { createAuth } = await import('./auth.ts')
  const auth = await createAuth({
    ...server,
    isAwaited: async () => false,
    onArrival: async () => {},
    onLock: async () => {},
    onSecurityChange: () => {},
  }).$context
  assert.ok(await auth.internalAdapter.findSession(token!), name)
  for (const row of rows) assert.equal(await auth.internalAdapter.findSession(row.token), null)
})

test('a renewed session keeps its token', async () => {
  const browser = await signedIn(omar.email)
  await server.db`
    update user_sessions set updated_at = now() - interval '2 days', expires_at = now() + interval '28 days'
    where user_id = (select id from users where email = ${omar.email})`
  for (let times = 0; times < 2; times++) assert.equal((await browser.own.get('/me')).status, 200)
  const [row] = await server.db`
    select max(expires_at) > now() + interval '29 days' as is_renewed from user_sessions
    where user_id = (select id from users where email = ${omar.email})`
  assert.equal(row!.is_renewed, true)
})

test('an expired session is not valid', async () => {
  const browser = await signedIn(omar.email)
  await server.db`update user_sessions set expires_at = now() - interval '1 second'
    where user_id = (select id from users where email = ${omar.email})`
  assertEnvelope(await browser.own.get('/me'), 401, 'SESSION_REQUIRED')
})

test('a session in use is extended once a day, together with its cookie', async () => {
  const browser = await signedIn(omar.email)
  assert.deepEqual((await browser.own.get('/me')).headers.getSetCookie(), [])
  await server.db`update user_sessions set expires_at = now() + interval '28 days'
    where user_id = (select id from users where email = ${omar.email})`
  const [cookie] = (await browser.own.get('/me')).headers.getSetCookie()
  assert.match(cookie!, /^deskbell\.session_token=.*Max-Age=2592000/)
  assert.deepEqual((await browser.own.get('/me')).headers.getSetCookie(), [])
})

test('a forged cookie opens no session', async () => {
  const browser = await signedIn(olga.email)
  for (const [name, value] of browser.cookies) browser.cookies.set(name, value.replace(/\..*/, '.forged'))
  assertEnvelope(await browser.own.get('/me'), 401, 'SESSION_REQUIRED')
})

test('a wrong password and an unknown address have the same response', async () => {
  const wrong = await signIn(openBrowser(server), olga.email, 'not this one')
  const unknown = await signIn(openBrowser(server), `${unique()}@example.com`, 'not this one')
  assert.deepEqual([wrong.status, wrong.body], [401, unknown.body])
  assert.equal(unknown.status, 401)
})

test('five wrong passwords in a row block an account for an address for a while, whether or not it exists', async () => {
  for (const email of [omar.email, `${unique()}@example.com`]) {
    for (let i = 0; i < 5; i++)
      assert.equal((await signIn(openBrowser(server), email, 'not this one')).status, 401)
    const answer = await signIn(openBrowser(server), email)
    assert.deepEqual([answer.status, answer.body.code], [429, 'TOO_MANY_ATTEMPTS'], answer.text)
    const wait = Number(answer.headers.get('retry-after'))
    const [row] = await server.db<{ rest: number }[]>`
      select extract(epoch from locked_until - now())::float8 as rest from sign_in_attempts
      where subject = ${`pair:${email} 127.0.0.1`}`
    assert.ok(wait >= row!.rest && wait <= 30, `${wait} ≥ ${row!.rest}`)
  }
  const { body } = await olga.api.get('/audit?action=operator.sign_in_locked')
  assert.deepEqual(
    body.items.map((entry: { target_id: string }) => entry.target_id),
    [omar.id],
  )
  await server.db`update sign_in_attempts set locked_until = now()`
  assert.equal((await signIn(openBrowser(server), omar.email)).status, 200)
})

test('each further wrong password doubles the wait', async () => {
  const waits: number[] = []
  for (let i = 0; i < 8; i++) {
    await signIn(openBrowser(server), omar.email, 'not this one')
    const [row] = await server.db<{ wait: number }[]>`
      select extract(epoch from locked_until - tried_at)::int as wait from sign_in_attempts
      where subject = ${`pair:${omar.email} 127.0.0.1`}`
    waits.push(Math.max(0, row!.wait))
    await server.db`update sign_in_attempts set locked_until = now()`
  }
  assert.deepEqual(waits, [0, 0, 0, 0, 30, 60, 120, 240])
})

test('of many simultaneous guesses, five are checked', async () => {
  const guesses = Array.from({ length: 15 }, () => signIn(openBrowser(server), omar.email, 'not this one'))
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  assert.equal(statuses.filter(status => status === 401).length, 5, String(statuses))
  assert.equal(statuses.filter(status => status === 429).length, 10, String(statuses))
})

test('a correct password resets the count of wrong ones', async () => {
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 4; i++) await signIn(openBrowser(server), omar.email, 'not this one')
    assert.equal((await signIn(openBrowser(server), omar.email)).status, 200)
  }
})

test('an address that guesses at many accounts is blocked too', async () => {
  for (let i = 0; i < 20; i++) await signIn(openBrowser(server), `${unique()}@example.com`, 'not this one')
  assert.equal((await signIn(openBrowser(server), olga.email)).status, 429)
})

test('a person who finds an open browser cannot guess the password in it', async () => {
  const browser = await signedIn(omar.email)
  const guess = (path: string, fields: object) => browser.auth.post(path, fields)
  for (let i = 0; i < 3; i++) {
    const fields = { currentPassword: 'not this one', newPassword: 'another horse battery' }
    assert.equal((await guess('/change-password', fields)).status, 400)
  }
  for (let i = 0; i < 2; i++)
    assert.equal((await guess('/two-factor/enable', { password: 'not this one' })).status, 400)
  assert.equal((await guess('/two-factor/enable', { password })).status, 429)
})

test('sessions survive lost connections to the database', async () => {
  const browser = await signedIn(rita.email)
  await server.db`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`
  await until(async () => (await browser.own.get('/me')).status === 200)
})

test('another site cannot sign anybody in or out', async () => {
  const browser = await signedIn(omar.email)
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
  ]
  for (const headers of foreign) {
    assertEnvelope(await browser.auth.post('/sign-out', {}, { headers }), 403, 'CROSS_SITE')
    const answer = await openBrowser(server).auth.post(
      '/sign-in/email',
      { email: omar.email, password },
      { headers },
    )
    assertEnvelope(answer, 403, 'CROSS_SITE')
  }
  assert.equal((await browser.own.get('/me')).status, 200)
})

test("accounts cannot be created without a link, or changed by better-auth's own operations", async () => {
  const fields = { name: 'Eve', email: 'eve@example.com', password }
  for (const path of ['/sign-up/email', '/update-user', '/change-email', '/delete-user', '/reset-password'])
    assertBrief(await omar.auth.post(path, fields), 404)
})

test('a new password replaces the old one, ends other sessions, and must not be short', async () => {
  const person = await signedIn(rita.email)
  const change = (newPassword: string) =>
    person.auth.post('/change-password', {
      currentPassword: password,
      newPassword,
      revokeOtherSessions: true,
    })
  const other = await signedIn(rita.email)
  assert.equal((await change('too short')).status, 400)
  assert.equal((await change('another horse battery')).status, 200)
  assert.equal((await other.own.get('/me')).status, 401)
  assert.equal((await signIn(openBrowser(server), rita.email)).status, 401)
  assert.equal((await signIn(openBrowser(server), rita.email, 'another horse battery')).status, 200)
})
