import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { codeOf } from '../../test/authenticator.ts'
import { type Browser, joinProject, openBrowser, type Person, password } from '../../test/operator.ts'
import { startServer, type TestServer } from '../../test/server.ts'

let server: TestServer
before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

const verify = (browser: Browser, code: string) => browser.auth.post('/two-factor/verify-totp', { code })

/** Returns the code that was used, too. A moment later, the current code may be the next one. */
async function enable(person: Person): Promise<{ uri: string; recovery: string[]; used: string }> {
  const { body } = await person.auth.post('/two-factor/enable', { password })
  const used = codeOf(body.totpURI)
  const answer = await verify(person, used)
  assert.equal(answer.status, 200, answer.text)
  return { uri: body.totpURI, recovery: body.backupCodes, used }
}

async function givePassword(email: string): Promise<Browser> {
  const browser = openBrowser(server)
  assert.equal((await browser.auth.post('/sign-in/email', { email, password })).status, 200)
  return browser
}

const isSignedIn = async (browser: Browser): Promise<boolean> => (await browser.own.get('/me')).status === 200

/** Makes this person's second factors 11 minutes older. */
const age = (email: string) => server.db`
  update user_sessions s set second_factor_at = second_factor_at - interval '11 minutes'
  from users u where u.id = s.user_id and u.email = ${email}`

const changes: [path: string, body?: object][] = [
  ['/two-factor/enable', { password }],
  ['/two-factor/get-totp-uri', { password }],
  ['/two-factor/generate-backup-codes', { password }],
  ['/two-factor/disable', { password }],
  ['/passkey/verify-registration', { response: {} }],
  ['/passkey/delete-passkey', { id: 'any' }],
]

test('refuses a used code and all earlier ones', async () => {
  const person = await joinProject(server, server.acme)
  const { uri, used } = await enable(person)
  const later = codeOf(uri, 1)
  const [one, two] = [await givePassword(person.email), await givePassword(person.email)]
  const refused = await verify(one, used)
  assert.equal(refused.status, 401)
  assert.equal(refused.body.code, 'CODE_USED')
  assert.equal((await verify(one, later)).status, 200)
  assert.equal((await verify(two, later)).status, 401)
  assert.deepEqual([await isSignedIn(one), await isSignedIn(two)], [true, false])
})

test('if several sign-ins use one code at once, only one succeeds', async () => {
  const person = await joinProject(server, server.acme)
  const code = codeOf((await enable(person)).uri, 1)
  const browsers = await Promise.all([1, 2, 3].map(() => givePassword(person.email)))
  const answers = await Promise.all(browsers.map(browser => verify(browser, code)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401])
})

test("refuses to change second factors with only the password if the session's second factor is old", async () => {
  const person = await joinProject(server, server.acme)
  const { recovery } = await enable(person)
  await age(person.email)
  for (const [path, body] of changes) {
    const answer = await person.auth.post(path, body)
    assert.equal(answer.status, 403, path)
    assert.equal(answer.body.code, 'SESSION_NOT_FRESH', path)
  }
  assert.equal((await person.auth.get('/passkey/generate-register-options')).status, 403)
  const browser = await givePassword(person.email)
  await browser.auth.post('/two-factor/verify-backup-code', { code: recovery[0] })
  assert.equal((await browser.auth.post('/two-factor/disable', { password })).status, 200)
})

test('a code given in an open session does not count as a new sign-in', async () => {
  const person = await joinProject(server, server.acme)
  const { uri } = await enable(person)
  await age(person.email)
  await verify(person, codeOf(uri, 1))
  assert.equal((await person.auth.post('/two-factor/disable', { password })).status, 403)
})

test("a new second factor ends the person's other sessions, and nobody else's", async () => {
  const [person, rita] = [await joinProject(server, server.acme), await joinProject(server, server.rival)]
  const elsewhere = await givePassword(person.email)
  assert.equal(await isSignedIn(elsewhere), true)
  await enable(person)
  assert.deepEqual([await isSignedIn(person), await isSignedIn(elsewhere)], [true, false])
  assert.equal(await isSignedIn(rita), true)
})
