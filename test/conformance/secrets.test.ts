import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeTicket, nobody } from '../cast.ts'
import { operations } from '../conventions/operations.ts'
import { slots } from '../conventions/slots.ts'
import { tables } from '../conventions/statements.ts'
import { joinProject, type Person, password } from '../operator.ts'
import { startReceiver } from '../receiver.ts'
import { startServer, type TestServer } from '../server.ts'
import { delivery } from '../webhooks.ts'
import { ask, begin, switchOn } from '../widget.ts'

/** A secret is returned once. After that, no response and no copy of the database may contain it. */

let server: TestServer
let owner: Person
let hook: { id: string; path: string }
const secrets = new Map<string, string>()
const receiver = await startReceiver(500)

async function addSecret(
  what: string,
  path: string,
  body: object,
  read: (body: never) => string,
): Promise<void> {
  // The idempotency key makes the server store the response for a retry.
  const answer = await owner.api.post(path, body, { headers: { 'idempotency-key': what } })
  assert.ok(answer.status < 300, answer.text)
  secrets.set(what, read(answer.body as never))
}

before(async () => {
  server = await startServer({ config: { visitorsPerIp: 1e6 } })
  owner = await joinProject(server, server.acme, { role: 'owner' })
  await switchOn(server, server.acme)
  const guest = await begin(server)
  await ask(guest)
  secrets.set('key of the API', server.acme.key.key)
  secrets.set('password', password)
  secrets.set('token of a visitor', guest.token)
  for (const [name, value] of owner.cookies) {
    if (value.length > 20) secrets.set(`cookie ${name}`, decodeURIComponent(value).split('.')[0]!)
  }
  await addSecret('another key', '/keys', { name: 'Another' }, ({ key }: { key: string }) => key)
  await addSecret('secret of the widget', '/widget/secret', {}, ({ secret }: { secret: string }) => secret)
  const invited = { name: 'Ivy', email: 'ivy@example.com' }
  await addSecret(
    'invitation',
    '/operators',
    invited,
    body => /\/link\/([\w-]+)/.exec(JSON.stringify(body))![1]!,
  )
  const registered = await server.api.post('/webhooks', { url: receiver.url })
  hook = { id: registered.body.id, path: `/webhooks/${registered.body.id}` }
  secrets.set('first secret of a webhook', registered.body.secret)
  await addSecret(
    'second secret of a webhook',
    `${hook.path}/rotate-secret`,
    {},
    ({ secret }: { secret: string }) => secret,
  )
  await makeTicket(server.api)
  await delivery(server, { ...hook, secret: '', receiver }, ({ attempts }) => attempts > 0)
})
after(async () => {
  await server.close()
  await receiver.close()
})

const formsOf = (secret: string): string[] => [
  secret,
  Buffer.from(secret).toString('hex'),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  ...(/^[0-9a-f]+$/.test(secret) ? [Buffer.from(secret, 'hex').toString('base64').replace(/=+$/, '')] : []),
]

function assertNone(text: string, where: string): void {
  for (const [what, secret] of secrets) {
    for (const form of formsOf(secret)) assert.ok(!text.includes(form), `${what} in ${where}`)
  }
}

test('the test knows at least nine secrets', () => assert.ok(secrets.size >= 9, [...secrets.keys()].join()))

test('no read operation returns a secret', async () => {
  const { body } = await server.api.get(`${hook.path}/deliveries`)
  const ids: Record<string, string> = {
    webhook_id: hook.id,
    delivery_id: body.items[0].id,
    operator_id: owner.id,
  }
  const fill = (path: string) => path.replaceAll(/\{(\w+)\}/g, (_, name) => ids[name] ?? nobody)
  const reading = operations.filter(({ method, path }) => method === 'GET' && path !== '/updates')
  const own = new Set(
    slots
      .filter(({ document, method }) => document === 'dashboard' && method === 'GET')
      .map(({ path }) => path),
  )
  const lists = [
    '/keys',
    '/webhooks',
    '/operators',
    '/widget',
    '/settings',
    '/audit',
    '/requests',
    '/exports',
    '/bucket',
    '/project',
  ]
  for (const { path } of reading) assertNone((await server.api.get(fill(path))).text, path)
  for (const path of [...lists, ...[...own].filter(path => !/\/live$/.test(path))]) {
    assertNone((await owner.api.get(fill(path.replace('/projects/{project_id}', '')))).text, path)
  }
  assertNone((await server.api.get('/updates?after=0&timeout=0')).text, '/updates')
})

test('no change or test of a webhook, and no error, returns a secret', async () => {
  const change = await server.api.patch(hook.path, { description: 'new' })
  assert.equal(change.status, 200)
  const refused = await server.api.patch(hook.path, { events: ['nothing'] })
  assert.equal(refused.status, 422)
  const { body, text } = await server.api.post(`${hook.path}/test`)
  assert.equal(body.error, 'status')
  for (const answer of [change.text, refused.text, text]) assertNone(answer, 'an answer')
})

test('no table of the database contains a readable secret', async () => {
  let rows = 0
  for (const { name } of tables) {
    const found = await server.db`select t::text as row from ${server.db(name)} t`
    rows += found.length
    assertNone(found.map(({ row }) => row).join('\n'), name)
  }
  assert.ok(rows > 30)
})
