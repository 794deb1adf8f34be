import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { after, before, test } from 'node:test'
import { startServer, type TestServer } from '../../test/server.ts'
import { switchOn } from '../../test/widget.ts'

let server: TestServer
let local: TestServer
before(async () => {
  server = await startServer({ delivers: false, config: { publicUrl: 'https://desk.example.com' } })
  local = await startServer({ delivers: false, config: { publicUrl: 'http://localhost:3000' } })
  await switchOn(server, server.acme)
})
after(async () => {
  await server.close()
  await local.close()
})

/** `fetch` does not allow another Host header. */
async function ask(
  at: TestServer,
  path: string,
  origin: string,
  body: object = {},
  host = new URL(origin).host,
) {
  const headers = { host, origin, 'content-type': 'application/json' }
  const asked = request(new URL(path, at.url), { method: 'POST', headers })
  asked.end(JSON.stringify(body))
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  answer.resume()
  return answer.statusCode
}

const signIn = (at: TestServer, origin: string) =>
  ask(at, '/api/auth/sign-in/email', origin, { email: 'nobody@example.com', password: 'wrong password' })

test('accepts sign-in from a page at PUBLIC_URL, and refuses it from any other host that the request names', async () => {
  assert.equal(await signIn(server, 'https://desk.example.com'), 401)
  for (const origin of ['https://evil.example', 'http://desk.example.com', 'http://localhost:3000'])
    assert.equal(await signIn(server, origin), 403, origin)
})

test("accepts the widget's frame only from PUBLIC_URL, whatever host the request names", async () => {
  const url = `/api/widget/projects/${server.acme.id}/visitors`
  assert.notEqual(await ask(server, url, 'https://desk.example.com'), 403)
  assert.equal(await ask(server, url, 'https://evil.example'), 403)
})

test('while PUBLIC_URL is local, accepts sign-in from every loopback name and port, and from no other host', async () => {
  for (const origin of ['http://localhost:3000', 'http://127.0.0.1:8080', 'http://[::1]:3000'])
    assert.equal(await signIn(local, origin), 401, origin)
  for (const origin of [
    'http://evil.example',
    'http://localhost.evil.example:3000',
    'http://192.168.1.5:3000',
  ])
    assert.equal(await signIn(local, origin), 403, origin)
})

test('refuses to redirect a sign-in to a host that only the request names', async () => {
  for (const name of ['callbackURL', 'errorCallbackURL', 'newUserCallbackURL']) {
    const body = { email: 'nobody@example.com', password: 'wrong password', [name]: 'https://evil.example/' }
    const status = await ask(
      server,
      '/api/auth/sign-in/email',
      'https://desk.example.com',
      body,
      'evil.example',
    )
    assert.equal(status, 403, name)
  }
})
