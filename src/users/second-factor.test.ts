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

async function enable(person: Person): Promise<{ uri: string; recovery: string[] }> {
  const answer = await person.auth.post('/two-factor/enable', { password })
  assert.equal(answer.status, 200, answer.text)
  const { totpURI: uri, backupCodes: recovery } = answer.body
  assert.equal((await person.auth.post('/two-factor/verify-totp', { code: codeOf(uri) })).status, 200)
  return { uri, recovery }
}

/** Signs in with the password only. */
async function begin(person: Person): Promise<Browser> {
  const browser = openBrowser(server)
  const answer = await browser.auth.post('/sign-in/email', { email: person.email, password })
  assert.equal(answer.body.twoFactorRedirect, true, answer.text)
  assert.equal((await browser.own.get('/me')).status, 401)
  return browser
}

const hasSecondFactor = async (browser: Browser): Promise<boolean> =>
  (await browser.own.get('/me')).body.user.has_second_factor

test('with a second factor, signing in needs the password and a code', async () => {
  const person = await joinProject(server, server.acme)
  assert.equal(await hasSecondFactor(person), false)
  const { uri } = await enable(person)
  assert.equal(await hasSecondFactor(person), true)
  const browser = await begin(person)
  assert.equal((await browser.auth.post('/two-factor/verify-totp', { code: '000000' })).status, 401)
  assert.equal((await browser.auth.post('/two-factor/verify-totp', { code: codeOf(uri, 1) })).status, 200)
  assert.equal((await browser.own.get('/me')).status, 200)
})

test('a recovery code works once', async () => {
  const person = await joinProject(server, server.acme)
  const { recovery } = await enable(person)
  const verify = async (code: string) =>
    (await (await begin(person)).auth.post('/two-factor/verify-backup-code', { code })).status
  assert.equal(await verify(recovery[0]!), 200)
  assert.equal(await verify(recovery[0]!), 401)
  assert.equal(await verify(recovery[1]!), 200)
})

test('wrong codes lock the second factor for a while, even across several sign-ins', async () => {
  const person = await joinProject(server, server.acme)
  const { uri } = await enable(person)
  const guess = async (code: string) => (await begin(person)).auth.post('/two-factor/verify-totp', { code })
  for (let i = 0; i < 5; i++) assert.equal((await guess('000000')).status, 401)
  const answer = await guess(codeOf(uri, 1))
  assert.equal(answer.status, 429, answer.text)
  assert.equal(answer.headers.get('retry-after'), '900')
})

test('the secret and the recovery codes are encrypted in the database', async () => {
  const person = await joinProject(server, server.acme)
  const { uri, recovery } = await enable(person)
  const [row] = await server.db<{ secret: string; backup_codes: string }[]>`
    select secret, backup_codes from two_factors t join users u on u.id = t.user_id where u.email = ${person.email}`
  assert.ok(!row!.secret.includes(new URL(uri).searchParams.get('secret')!))
  assert.ok(!recovery.some(code => row!.backup_codes.includes(code)))
})

test('turning the second factor off requires the password', async () => {
  const person = await joinProject(server, server.acme)
  await enable(person)
  assert.equal((await person.auth.post('/two-factor/disable', { password: 'not this one' })).status, 400)
  assert.equal(await hasSecondFactor(person), true)
  assert.equal((await person.auth.post('/two-factor/disable', { password })).status, 200)
  assert.equal(await hasSecondFactor(person), false)
})
