import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertEnvelope } from '../../test/client.ts'
import { joinProject } from '../../test/operator.ts'
import { type PushService, startPushService } from '../../test/push-service.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { createLimiter } from '../limits/limiter.ts'
import { createMemory } from '../limits/memory.ts'
import { maxTestsPerMinute } from './dashboard.ts'

/** Limits of notifications in browsers. */

let server: TestServer
let service: PushService

before(async () => {
  // A busy machine may need more than the minute after which a budget is full again.
  server = await startServer({ delivers: false, limiter: createLimiter(createMemory(() => 0)) })
  service = await startPushService()
})
after(async () => {
  await server.close()
  await service.receiver.close()
})

/** An operator of Acme with a browser that shows notifications. */
async function enter() {
  const person = await joinProject(server, server.acme)
  const browser = service.addBrowser()
  const { status, body } = await person.own.put('/me/devices', browser.registration)
  assert.equal(status, 200)
  const test = () => person.own.post(`/me/devices/${body.items[0].id}/test`)
  return { person, browser, test }
}

test('a person can send ten test notifications a minute', async () => {
  const [{ browser, test }, other] = [await enter(), await enter()]
  const answers = await Promise.all(Array.from({ length: 11 }, test))
  const refused = answers.filter(({ status }) => status !== 200)
  assert.deepEqual([maxTestsPerMinute, refused.length], [10, 1])
  assertEnvelope(refused[0]!, 429, 'RATE_LIMIT_EXCEEDED', { retry_after: 60 })
  assert.equal(refused[0]!.headers.get('retry-after'), '60')
  assert.equal((await browser.read()).length, 10)
  assert.equal((await other.test()).status, 200)
})
