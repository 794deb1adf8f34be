import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type Browser, joinProject, openBrowser, type Person } from '../../test/operator.ts'
import { startServer, type TestServer } from '../../test/server.ts'

let server: TestServer
let omar: Person
before(async () => {
  server = await startServer({ delivers: false })
  omar = await joinProject(server, server.acme)
})
after(() => server.close())

const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest()
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')
const present = 0x01
const verified = 0x04
const hasKey = 0x40

/** An authenticator that says yes to everything (WebAuthn, without attestation). */
function makeAuthenticator(origin: string) {
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
        present | verified | hasKey,
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
      const [client, data] = [clientData('webauthn.get', challenge), authData(present | verified)]
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

const authenticatorOf = (): Authenticator => makeAuthenticator(new URL(server.url).origin)

test('a passkey that was added signs in, until it is deleted', async () => {
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

test('a passkey of nobody signs nobody in', async () => {
  const browser = openBrowser(server)
  assert.ok((await signIn(browser, authenticatorOf())).status >= 400)
  assert.equal((await browser.own.get('/me')).status, 401)
})

test('an answer to another challenge is refused', async () => {
  const authenticator = authenticatorOf()
  assert.equal((await register(omar, authenticator)).status, 200)
  const browser = openBrowser(server)
  await browser.auth.get('/passkey/generate-authenticate-options')
  const response = authenticator.get(randomBytes(32).toString('base64url'))
  assert.ok((await browser.auth.post('/passkey/verify-authentication', { response })).status >= 400)
  assert.equal((await browser.own.get('/me')).status, 401)
})

test('nobody deletes the passkey of somebody else, and adding one wants a session', async () => {
  const { body } = await omar.auth.get('/passkey/list-user-passkeys')
  const rita = await joinProject(server, server.rival, { name: 'Rita' })
  assert.ok((await rita.auth.post('/passkey/delete-passkey', { id: body[0].id })).status >= 400)
  assert.equal((await omar.auth.get('/passkey/list-user-passkeys')).body.length, body.length)
  assert.equal((await openBrowser(server).auth.get('/passkey/generate-register-options')).status, 401)
})
