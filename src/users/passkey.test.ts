import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { before, test } from 'node:test'
import { startMailingServer } from '../../test/mailing-server.ts'
import { type Browser, joinProject, openBrowser, type Person, password } from '../../test/operator.ts'
import { until } from '../../test/until.ts'

let omar: Person
const { server, mailbox } = await startMailingServer()
before(async () => {
  omar = await joinProject(server, server.acme)
})

const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest()
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')
const present = 0x01
const verified = 0x04
const hasKey = 0x40

/** An authenticator that confirms everything (WebAuthn, without attestation). */
function makeAuthenticator(origin: string, asked = verified) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  let counter = 0

  const clientData = (type: string, challenge: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const authData = (flags: number, rest: Buffer = Buffer.alloc(0)): Buffer => {
    const head = Buffer.alloc(5)
    head[0] = flags
    head.writeUInt32BE(++counter, 1)
    return Buffer.concat([sha256('localhost'), head, rest])
  }
  const credential = (response: object) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })
  const point = (value: string | undefined): Buffer => Buffer.from(value!, 'base64url')

  return {
    create(challenge: string) {
      const key = Buffer.concat([hex('a5 0102 0326 2001 215820'), point(x), hex('225820'), point(y)])
      const data = authData(
        present | asked | hasKey,
        Buffer.concat([hex('00'.repeat(16)), hex('0020'), id, key]),
      )
      const attestation = Buffer.concat([
        hex('a3 63666d74 646e6f6e65 6761747453746d74 a0 686175746844617461 58'),
        Buffer.from([data.length]),
        data,
      ])
      return credential({
        clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      })
    },
    get(challenge: string) {
      const [client, data] = [clientData('webauthn.get', challenge), authData(present | asked)]
      return credential({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, sha256(client)]), privateKey).toString('base64url'),
      })
    },
  }
}

type Authenticator = ReturnType<typeof makeAuthenticator>

const register = async (person: Browser, authenticator: Authenticator) => {
  const { body } = await person.auth.get('/passkey/generate-register-options')
  const response = authenticator.create(body.challenge)
  return person.auth.post('/passkey/verify-registration', { response, name: 'Laptop' })
}

const signIn = async (browser: Browser, authenticator: Authenticator) => {
  const { body } = await browser.auth.get('/passkey/generate-authenticate-options')
  return browser.auth.post('/passkey/verify-authentication', { response: authenticator.get(body.challenge) })
}

const authenticatorOf = (asked = verified): Authenticator =>
  makeAuthenticator(new URL(server.url).origin, asked)

test('a passkey signs in until it is deleted', async () => {
  const authenticator = authenticatorOf()
  const added = await register(omar, authenticator)
  assert.equal(added.status, 200, added.text)
  const browser = openBrowser(server)
  const answer = await signIn(browser, authenticator)
  assert.equal(answer.status, 200, answer.text)
  assert.equal((await browser.own.get('/me')).body.user.email, omar.email)
  const { body: listed } = await omar.auth.get('/passkey/list-user-passkeys')
  assert.deepEqual(
    listed.map(({ name }: { name: string }) => name),
    ['Laptop'],
  )
  assert.equal((await omar.auth.post('/passkey/delete-passkey', { id: listed[0].id })).status, 200)
  const later = openBrowser(server)
  assert.ok((await signIn(later, authenticator)).status >= 400)
  assert.equal((await later.own.get('/me')).status, 401)
})

test('an unknown passkey signs nobody in', async () => {
  const browser = openBrowser(server)
  assert.ok((await signIn(browser, authenticatorOf())).status >= 400)
  assert.equal((await browser.own.get('/me')).status, 401)
})

test('a response to another challenge is refused', async () => {
  const authenticator = authenticatorOf()
  assert.equal((await register(omar, authenticator)).status, 200)
  const browser = openBrowser(server)
  await browser.auth.get('/passkey/generate-authenticate-options')
  const response = authenticator.get(randomBytes(32).toString('base64url'))
  assert.ok((await browser.auth.post('/passkey/verify-authentication', { response })).status >= 400)
  assert.equal((await browser.own.get('/me')).status, 401)
})

test("nobody can delete another person's passkey, and adding one requires a session", async () => {
  const { body } = await omar.auth.get('/passkey/list-user-passkeys')
  const rita = await joinProject(server, server.rival, { name: 'Rita' })
  assert.ok((await rita.auth.post('/passkey/delete-passkey', { id: body[0].id })).status >= 400)
  assert.equal((await omar.auth.get('/passkey/list-user-passkeys')).body.length, body.length)
  assert.equal((await openBrowser(server).auth.get('/passkey/generate-register-options')).status, 401)
})

test('a passkey that does not verify its owner is not added', async () => {
  const answer = await register(omar, authenticatorOf(0))
  assert.ok(answer.status >= 400, answer.text)
})

test("adding a passkey ends the person's other sessions", async () => {
  const [person, elsewhere] = [await joinProject(server, server.acme), openBrowser(server)]
  await elsewhere.auth.post('/sign-in/email', { email: person.email, password })
  assert.equal((await elsewhere.own.get('/me')).status, 200)
  assert.equal((await register(person, authenticatorOf())).status, 200)
  assert.equal((await elsewhere.own.get('/me')).status, 401)
  assert.equal((await person.own.get('/me')).status, 200)
})

test('a session that began with only the password cannot delete or add a passkey', async () => {
  const person = await joinProject(server, server.acme)
  const authenticator = authenticatorOf()
  await register(person, authenticator)
  const browser = openBrowser(server)
  await browser.auth.post('/sign-in/email', { email: person.email, password })
  const [{ id }] = (await browser.auth.get('/passkey/list-user-passkeys')).body
  assert.equal((await browser.auth.post('/passkey/delete-passkey', { id })).status, 403)
  assert.equal((await browser.auth.get('/passkey/generate-register-options')).status, 403)
  await signIn(browser, authenticator)
  assert.equal((await browser.auth.post('/passkey/delete-passkey', { id })).status, 200)
})

test("the device shows the person's address and the installation for a passkey, whatever name the page sends", async () => {
  const rita = await joinProject(server, server.rival, { name: 'Rita' })
  const { host } = new URL(server.config.publicUrl)
  for (const person of [omar, rita]) {
    const { body } = await person.auth.get('/passkey/generate-register-options?name=Chrome+on+Linux')
    assert.equal(body.user.name, `${person.email} (${host})`)
  }
})

test('renames a passkey, and refuses names of several lines or more than 100 characters', async () => {
  const [{ id }] = (await omar.auth.get('/passkey/list-user-passkeys')).body
  const rename = (name: string) => omar.auth.post('/passkey/update-passkey', { id, name })
  assert.equal((await rename('Key in the drawer 🗝️')).status, 200)
  for (const name of ['a'.repeat(101), 'a\nb', 'a\0b', '\ud800'])
    assert.equal((await rename(name)).body.code, 'PASSKEY_NAME_NOT_POSSIBLE')
  const listed = (await omar.auth.get('/passkey/list-user-passkeys')).body
  assert.equal(listed.find((one: { id: string }) => one.id === id).name, 'Key in the drawer 🗝️')
})

test('mails the person when a passkey is added or removed', async () => {
  // Mails of earlier tests may still arrive.
  const before = mailbox.mails.length
  const untilMailed = (subject: RegExp) =>
    until(() =>
      mailbox.mails.slice(before).find(({ to, text }) => to.includes(omar.email) && subject.test(text)),
    )
  assert.equal((await register(omar, authenticatorOf())).status, 200)
  await untilMailed(/^Subject: A passkey was added to your account$/m)
  const listed = (await omar.auth.get('/passkey/list-user-passkeys')).body
  assert.equal((await omar.auth.post('/passkey/delete-passkey', { id: listed.at(-1).id })).status, 200)
  await untilMailed(/^Subject: A passkey was removed from your account$/m)
})
