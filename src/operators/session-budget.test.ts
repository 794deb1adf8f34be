import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertEnvelope } from '../../test/client.ts'
import { joinProject } from '../../test/operator.ts'
import { startServer, type TestServer } from '../../test/server.ts'

let server: TestServer
before(async () => {
  server = await startServer({ delivers: false, config: { rateLimitPerSession: 20 } })
})
after(() => server.close())

test("refuses requests beyond a session's budget per minute, but not those of other sessions", async () => {
  const [first, second] = [await joinProject(server, server.acme), await joinProject(server, server.rival)]
  const statuses = []
  for (let at = 0; at < 45; at++) statuses.push((await first.own.get('/me')).status)
  assert.ok(statuses.filter(status => status === 429).length >= 5, String(statuses))
  assert.equal((await second.own.get('/me')).status, 200)
})

test('returns in Retry-After when the session may send requests again', async () => {
  const person = await joinProject(server, server.acme)
  let answer = await person.api.get('/operators')
  for (let at = 0; at < 45 && answer.status !== 429; at++) answer = await person.api.get('/operators')
  assertEnvelope(answer, 429, 'RATE_LIMIT_EXCEEDED')
  assert.ok(Number(answer.headers.get('retry-after')) >= 1)
})
