import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeTicket } from '../../test/cast.ts'
import { assertEnvelope } from '../../test/client.ts'
import { joinCast, joinProject, type Person } from '../../test/operator.ts'
import { type PushService, startPushService } from '../../test/push-service.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { createLimiter } from '../limits/limiter.ts'
import { createMemory } from '../limits/memory.ts'
import { maxTestsPerMinute } from './dashboard.ts'
import { createPushing } from './notifications.ts'

/** Limits of notifications in browsers. */

let server: TestServer
let service: PushService
let olga: Person
/** Requests to this path are answered after the release. */
let slowPath = ''
const release = Promise.withResolvers<void>()

before(async () => {
  // A busy machine may need more than the minute after which a budget is full again.
  server = await startServer({ delivers: false, limiter: createLimiter(createMemory(() => 0)) })
  service = await startPushService(async ({ path }) => {
    if (path === slowPath) await release.promise
    return 201
  })
  ;({ olga } = await joinCast(server))
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

const assign = async ({ person }: Awaited<ReturnType<typeof enter>>): Promise<void> => {
  const ticket = await makeTicket(server.api, { content: 'It went out.' })
  const { status, text } = await olga.api.patch(`/tickets/${ticket.id}`, { operator_id: person.id })
  assert.equal(status, 200, text)
}

test('a slow push service delays only its own browser, which gets one notification after the other', async () => {
  const { db, acme } = server
  const [slow, fast] = [await enter(), await enter()]
  slowPath = new URL(slow.browser.registration.endpoint).pathname
  // Until the release, the slow service would be waited for much longer than this test takes.
  const push = createPushing({ ...server, timeoutMs: 3_600_000 })
  const work = () => push(db, acme.id)
  const untilGot = ({ browser }: typeof slow, count: number) =>
    until(async () => {
      await work()
      return (await browser.read()).length === count
    })
  for (const one of [slow, slow, fast]) await assign(one)
  await untilGot(slow, 1)
  await untilGot(fast, 1)
  await assign(fast)
  await untilGot(fast, 2)
  assert.equal((await slow.browser.read()).length, 1)
  release.resolve()
  while ((await work()) > 0);
  assert.deepEqual([(await slow.browser.read()).length, (await fast.browser.read()).length], [2, 2])
  assert.equal((await db`select from operator_pushes where project_id = ${acme.id}`).count, 0)
})
