import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { assertEnvelope } from '../../test/client.ts'
import { joinCast, openBrowser, type Person } from '../../test/operator.ts'
import { startServer, type TestServer } from '../../test/server.ts'

let server: TestServer
let olga: Person
let omar: Person
let rita: Person
before(async () => {
  server = await startServer({ config: { publicUrl: 'https://desk.example.com' }, delivers: false })
  ;({ olga, omar, rita } = await joinCast(server))
})
after(() => server.close())
afterEach(async () => {
  await server.db`update projects set requires_second_factor = false, suspended_at = null`
  await server.db`update users set two_factor_enabled = false`
  await server.db`update installation set maintenance = false`
})

const rename = (headers: Record<string, string>) =>
  omar.own.patch('/me', { name: 'Omar' }, { headers: { origin: '', ...headers } })

test('changes are accepted only from our own pages, by Sec-Fetch-Site or else by Origin', async () => {
  const own = new URL(server.url).origin
  const ours: Record<string, string>[] = [
    { 'sec-fetch-site': 'same-origin' },
    { origin: 'https://desk.example.com' },
    { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:5173' },
  ]
  for (const headers of ours) assert.equal((await rename(headers)).status, 200, JSON.stringify(headers))
  const others: Record<string, string>[] = [
    {},
    { origin: 'https://evil.example' },
    { origin: own },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site', origin: own },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
  ]
  for (const headers of others) assertEnvelope(await rename(headers), 403, 'CROSS_SITE')
})

test('an API key does not work in the dashboard, nor a session in the API', async () => {
  const headers = { authorization: `Bearer ${server.acme.key.key}` }
  const answer = await openBrowser(server).of(server.acme).get('/tickets', { headers })
  assertEnvelope(answer, 401, 'SESSION_REQUIRED')
  const cookie = [...olga.cookies].map(pair => pair.join('=')).join('; ')
  assert.equal((await server.stranger.get('/tickets', { headers: { cookie } })).status, 401)
})

test('a project of other people answers like one that does not exist', async () => {
  const theirs = await olga.of(server.rival).get('/tickets')
  assertEnvelope(theirs, 404, 'PROJECT_NOT_FOUND')
  const none = await olga.of({ ...server.rival, id: 'none' }).get('/tickets')
  assertEnvelope(none, 404, 'PROJECT_NOT_FOUND')
})

test('a project that requires a second factor admits only people who have one', async () => {
  assertEnvelope(
    await olga.api.patch('/security', { requires_second_factor: true }),
    403,
    'SECOND_FACTOR_REQUIRED',
  )
  await server.db`update users set two_factor_enabled = true where email = ${olga.email}`
  assert.equal((await olga.api.patch('/security', { requires_second_factor: true })).status, 200)
  assertEnvelope(await omar.api.get('/tickets'), 403, 'SECOND_FACTOR_REQUIRED')
  assert.equal((await olga.api.get('/tickets')).status, 200)
  const me = await omar.own.get('/me')
  assert.equal(me.body.memberships[0].requires_second_factor, true)
  assert.equal((await rita.api.get('/tickets')).status, 200)
  const [entry] = (await olga.api.get('/audit?action=project.security_changed')).body.items
  assert.deepEqual([entry.author_name, entry.detail], ['Olga', { requires_second_factor: true }])
})

test('lists the people without a second step, for owners only', async () => {
  await server.db`update users set two_factor_enabled = (email = ${olga.email})`
  const { body } = await olga.api.get('/security')
  assert.equal(body.requires_second_factor, false)
  const emails = body.without_second_step.map((one: { email: string }) => one.email)
  assert.deepEqual(
    [emails.includes(omar.email), emails.includes(olga.email), emails.includes(rita.email)],
    [true, false, false],
  )
  assertEnvelope(await omar.api.get('/security'), 403, 'ROLE_REQUIRED', { role: 'owner' })
})

test('only owners can change whether a second factor is required', async () => {
  const answer = await omar.api.patch('/security', { requires_second_factor: false })
  assertEnvelope(answer, 403, 'ROLE_REQUIRED', { role: 'owner' })
})

test('people get PROJECT_SUSPENDED and MAINTENANCE_MODE too', async () => {
  await server.db`update projects set suspended_at = now() where id = ${server.acme.id}`
  assertEnvelope(await omar.api.get('/tickets'), 403, 'PROJECT_SUSPENDED')
  assert.equal((await omar.own.get('/me')).body.memberships[0].is_suspended, true)
  await server.db`update installation set maintenance = true`
  const answer = await rita.api.get('/tickets')
  assert.deepEqual([answer.status, answer.body.error_code], [503, 'MAINTENANCE_MODE'])
})

test('requests without a session count against the budget of the address', async context => {
  const small = await startServer({ config: { rateLimitPerIp: 3 }, delivers: false })
  context.after(() => small.close())
  const browser = openBrowser(small)
  for (let i = 0; i < 3; i++) assertEnvelope(await browser.own.get('/me'), 401, 'SESSION_REQUIRED')
  assertEnvelope(await browser.own.get('/me'), 429, 'RATE_LIMIT_EXCEEDED')
})

test("actions in the dashboard are recorded under the person's name", async () => {
  const contact = { email: 'ann@example.com' }
  const { body: ticket } = await omar.api.post('/tickets', { contact, content: 'Hello' })
  const closed = await omar.api.post(`/tickets/${ticket.id}/close`)
  assert.deepEqual(closed.body.closed_by, { id: omar.id, type: 'operator', name: omar.name })
})

test("the sign-in library's link does not redirect to the host in the request", async () => {
  const path = '/reset-password/token?callbackURL=http%3A%2F%2Fevil.example%2F'
  const answer = await openBrowser(server).auth.get(path, { headers: { host: 'evil.example' } })
  assert.equal(answer.status, 404, answer.text)
  assert.equal(answer.headers.get('location'), null)
})
