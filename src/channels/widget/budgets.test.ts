import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertEnvelope } from '../../../test/client.ts'
import { startServer, type TestServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import { formOf, formType } from '../../../test/upload.ts'
import { ask, begin, type Guest, listen, originOf, switchOn } from '../../../test/widget.ts'

/** Creating tokens is free, so a client that creates many of them still has only the budget of its address. */

const config = { visitorsPerIp: 4, visitorsPerProcess: 10, rateLimitPerVisitor: 3 }
let server: TestServer
let guests: Guest[]
before(async () => {
  server = await startServer({ delivers: false, config })
  await switchOn(server, server.acme)
})
after(() => server.close())

/** Simulates the next minute. */
const nextMinute = async (context: { after(act: () => unknown): void }, changes: Partial<typeof config>) => {
  const own = await startServer({ delivers: false, config: { ...config, ...changes } })
  context.after(() => own.close())
  await switchOn(own, own.acme)
  return own
}

const beginMany = (at: TestServer, count: number) =>
  Promise.all(Array.from({ length: count }, () => begin(at)))

test('limits how many tickets an address starts per minute, across all its visitors', async () => {
  guests = await beginMany(server, 4)
  for (const guest of guests) await ask(guest)
  assertEnvelope(await guests[0]!.api.post('/tickets', { content: 'x' }), 429, 'RATE_LIMIT_EXCEEDED')
})

test('limits how many files an address uploads per minute, across all its visitors', async () => {
  const upload = ({ api }: Guest) =>
    api.post('/files', undefined, { raw: formOf({ content: 'Hello' }), headers: formType })
  for (const guest of guests) assert.equal((await upload(guest)).status, 201)
  const refused = await upload(guests[1]!)
  assertEnvelope(refused, 429, 'RATE_LIMIT_EXCEEDED')
})

test('an address may hold at most a fifth of the chats that a process serves', async context => {
  const own = await nextMinute(context, {})
  const many = await beginMany(own, 3)
  const tabs = await Promise.all(many.map(guest => listen(own, guest)))
  assert.deepEqual(tabs.map(({ status }) => status).sort(), [200, 200, 429])
  const open = tabs.filter(({ status }) => status === 200)
  open[0]!.close()
  await open[0]!.ended
  await until(async () => {
    const again = await listen(own, many[2]!)
    again.close()
    return again.status === 200
  })
  open[1]!.close()
})

test('limits the requests per minute of all visitors from one address together', async context => {
  const own = await nextMinute(context, { visitorsPerIp: 100, rateLimitPerVisitor: 1 })
  const many = await beginMany(own, 21)
  const answers = await Promise.all(many.map(({ api }) => api.get('/tickets')))
  assert.deepEqual(
    answers
      .map(({ status }) => status)
      .sort()
      .slice(-2),
    [200, 429],
  )
})

test('limits how often an address opens the pages of the chat', async context => {
  const own = await startServer({ delivers: false, config: { rateLimitPerIp: 3 } })
  context.after(() => own.close())
  await switchOn(own, own.acme)
  const open = async (path: string) => (await fetch(`${originOf(own)}${path}/${own.acme.id}`)).status
  const paths = ['/widget/look', '/widget/frame', '/chat', '/widget/look', '/widget/frame', '/chat']
  const found = []
  for (const path of paths) found.push(await open(path))
  assert.deepEqual(found, [200, 200, 200, 429, 429, 429])
  assert.equal((await fetch(`${originOf(own)}/widget.js`)).status, 200)
})
