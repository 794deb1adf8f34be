import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { joinCast, openBrowser, type Person, password } from '../../test/operator.ts'
import { startServer, type TestServer } from '../../test/server.ts'

let server: TestServer
let olga: Person
let omar: Person

before(async () => {
  server = await startServer()
  ;({ olga, omar } = await joinCast(server))
})
after(() => server.close())

const signIn = (browser: Pick<Person, 'auth'>, email: string, given = password) =>
  browser.auth.post('/sign-in/email', { email, password: given })

test('somebody with the right password is signed in, and sees who they are', async () => {
  const browser = openBrowser(server)
  const answer = await signIn(browser, olga.email.toUpperCase())
  assert.equal(answer.status, 200, answer.text)
  assert.ok(answer.headers.get('x-request-id'))
  const me = await browser.own.get('/me')
  assert.equal(me.status, 200, me.text)
  assert.deepEqual(
    [me.body.user.email, me.body.memberships.map((one: { role: string }) => one.role)],
    [olga.email, ['owner']],
  )
})

test('signing out ends the session', async () => {
  const browser = openBrowser(server)
  await signIn(browser, omar.email)
  const kept = new Map(browser.cookies)
  assert.equal((await browser.auth.post('/sign-out', {})).status, 200)
  for (const [name, value] of kept) browser.cookies.set(name, value)
  assert.equal((await browser.own.get('/me')).status, 401)
})
