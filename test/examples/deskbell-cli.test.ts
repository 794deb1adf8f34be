import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { makeMessage, makeOperator, makeTicket } from '../cast.ts'
import { needs } from '../needs.ts'
import { makeFolder } from '../run/program.ts'
import { startServer } from '../server.ts'
import { accessOf, exampleFile, startExample } from './example.ts'
import { startProxy } from './proxy.ts'

const { skip } = needs('go')
const server = await startServer({ delivers: false })
const { api, outsider, db, acme } = server
after(() => server.close())

const context = { after: (end: () => void) => after(end) }
const program = join(makeFolder(context), 'deskbell-cli')
const proxy = await startProxy(context, new URL(server.url).origin)
const access = { ...accessOf(server), DESKBELL_URL: proxy.url }

if (!skip) {
  const built = spawnSync('go', ['build', '-o', program], {
    cwd: exampleFile('deskbell-cli'),
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false', GOTOOLCHAIN: 'local' },
    encoding: 'utf8',
  })
  assert.equal(built.status, 0, built.stderr)
}

const cli = (...args: string[]) => startExample(context, program, args, access).ended
const cliWith = (settings: Record<string, string>, ...args: string[]) =>
  startExample(context, program, args, { ...access, ...settings }).ended
const read = async (id: string) => (await api.get(`/tickets/${id}`)).body
const listMessages = async (id: string) => (await api.get(`/tickets/${id}/messages`)).body.items

test('list shows the newest open tickets, and reads all pages with --json', { skip }, async () => {
  const tickets = []
  for (let n = 0; n < 103; n++) tickets.push(await makeTicket(api, { subject: `Ticket ${n}` }))
  await api.post(`/tickets/${tickets[102].id}/close`)
  const { status, stdout, stderr } = await cli('list', '--limit', '2')
  assert.deepEqual([status, stderr], [0, ''])
  const [head, first, second, ...rest] = stdout.trimEnd().split('\n')
  assert.match(head!, /^NUMBER +STATUS +PRIORITY +UPDATED +CONTACT +SUBJECT$/)
  assert.match(first!, new RegExp(`^${tickets[101].short_id} +new .*@example.com +Ticket 101$`))
  assert.match(second!, /Ticket 100$/)
  assert.deepEqual(rest, [])
  const all = JSON.parse((await cli('list', '--json', '--status', 'new', '--limit', '1000')).stdout)
  assert.equal(all.length, 102)
})

test('show prints a ticket with its conversation, with notes marked', { skip }, async () => {
  const { short_id, id } = await makeTicket(api, {
    contact: { email: 'ann@example.com', full_name: 'Ann Lee' },
    subject: 'Cannot pay',
    content: 'My card is refused',
    tags: ['vip'],
  })
  await makeMessage(api, id, { content: 'Called her', is_internal: true, sender_name: 'Phone' })
  const { stdout } = await cli('show', short_id)
  assert.match(stdout, /^#\d+ {2}Cannot pay\nnew, normal, from Ann Lee, unassigned\nTags: vip\n/)
  assert.match(stdout, /My card is refused[\s\S]*Phone \(internal note\)\nCalled her/)
  assert.equal(JSON.parse((await cli('show', '--json', short_id)).stdout).id, id)
})

test('reply posts once, even if the response to the first attempt is lost', { skip }, async () => {
  const { id } = await makeTicket(api)
  proxy.fail('POST', { status: 502, isCarriedOut: true })
  const { status, stdout } = await cli('reply', id, 'It is on its way')
  assert.deepEqual([status, stdout], [0, `Sent to ticket ${id}\n`])
  await cli('reply', id, 'Ask the warehouse', '--note')
  assert.deepEqual(
    (await listMessages(id)).map((message: Record<string, unknown>) => [
      message.content,
      message.is_internal,
    ]),
    [
      ['It is on its way', false],
      ['Ask the warehouse', true],
    ],
  )
})

test('close succeeds on a ticket that is already closed', { skip }, async () => {
  const { id } = await makeTicket(api)
  proxy.fail('POST', { status: 503, isCarriedOut: true, headers: { 'retry-after': '1' } })
  assert.equal((await cli('close', id)).status, 0)
  assert.equal((await read(id)).status, 'closed')
  assert.equal((await cli('close', id)).status, 0)
})

test('assign sets an operator by email address, and none unassigns the ticket', { skip }, async () => {
  const { id } = await makeTicket(api)
  const operator = await makeOperator(db, acme)
  assert.equal((await cli('assign', id, operator.email.toUpperCase())).status, 0)
  assert.equal((await read(id)).operator_id, operator.id)
  assert.equal((await cli('assign', id, 'none')).status, 0)
  assert.equal((await read(id)).operator_id, null)
  const unknown = await cli('assign', id, 'nobody@example.com')
  assert.deepEqual([unknown.status, unknown.stdout], [1, ''])
})

test('the exit code distinguishes wrong usage from a rejected request', { skip }, async () => {
  const foreign = await makeTicket(outsider)
  assert.equal((await cli('show', foreign.id)).status, 1)
  assert.match((await cli('reply', (await makeTicket(api)).id, ' ')).stderr, /^deskbell-cli: .+/)
  for (const args of [[], ['lst'], ['show'], ['list', '--colour']])
    assert.equal((await cli(...args)).status, 2)
  assert.equal((await cliWith({ DESKBELL_API_KEY: '' }, 'list')).status, 2)
  const refused = await cliWith({ DESKBELL_API_KEY: 'sk_wrong' }, 'list')
  assert.deepEqual([refused.status, refused.stderr], [1, 'deskbell-cli: API key is invalid or revoked\n'])
})

test('reports an unreachable server differently from a rejected request', { skip }, async () => {
  proxy.fail('GET', ...Array.from({ length: 4 }, () => ({ status: 502 })))
  const { status, stderr } = await cli('list')
  assert.deepEqual([status, stderr], [3, 'deskbell-cli: 502 Bad Gateway\n'])
})
