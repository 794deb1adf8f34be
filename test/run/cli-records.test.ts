import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { addressOf, createDatabase } from '../database.ts'
import { deskbell, makeDataDir, makeFolder, type Outcome, startServer, stopServer } from './program.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
function readJson({ status, stdout, stderr }: Outcome): any {
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout)
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
type Answer = { status: number; body: any }

/** A server with a project and a key, and the command line on the same data. */
async function setUp(context: TestContext) {
  const DATA_DIR = makeDataDir(context)
  const server = await startServer(context, { DATA_DIR })
  const cli = async (...words: string[]) => readJson(await deskbell({ DATA_DIR }, ...words, '--json'))
  const { id } = await cli('project', 'create', '--name', 'Acme')
  const { key } = await cli('key', 'create', '--project', id, '--name', 'ours')
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const api = async (path: string, body?: object): Promise<Answer> => {
    const sent = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    const answer = await fetch(`${server.url}/api/v1${path}`, { headers, ...sent })
    return { status: answer.status, body: await answer.json() }
  }
  return { id, cli, api, url: server.url, stop: () => stopServer(server) }
}

const ticket = { contact: { email: 'ann@example.com' } }

test('applies a plan set by the command line at the next request', async context => {
  const { id, cli, api, stop } = await setUp(context)
  const plan = await cli('plan', 'set', 'small', '--name', 'Small', '--tickets', '1', '--knowledge', 'no')
  const features = { knowledge_base: false }
  const { code, name, monthly_ticket_limit, price } = plan
  assert.deepEqual(
    [code, name, monthly_ticket_limit, plan.features, price],
    ['small', 'Small', 1, features, 0],
  )
  const { items } = await cli('plan', 'list')
  assert.deepEqual(
    items.map((known: { code: string }) => known.code),
    ['small', 'unlimited'],
  )
  assert.deepEqual(await cli('project', 'plan', id, 'small'), { id, plan: 'small' })
  const { body } = await api('/project')
  assert.deepEqual([body.plan, body.features, body.tickets.limit], ['small', features, 1])
  assert.deepEqual(
    [(await api('/tickets', ticket)).status, (await api('/tickets', ticket)).status],
    [201, 403],
  )
  const changed = await cli('plan', 'set', 'small', '--tickets', 'unlimited')
  assert.deepEqual(changed, { ...plan, monthly_ticket_limit: null })
  assert.equal((await api('/tickets', ticket)).status, 201)
  assert.equal((await stop()).status, 0)
})

test('assigns tickets to departments and operators created by the command line', async context => {
  const { id, cli, api, stop } = await setUp(context)
  const department = await cli('department', 'create', '--project', id, '--name', 'Billing')
  const operator = await cli(
    ...['operator', 'create', '--project', id, '--name', 'Omar', '--email', 'omar@example.com'],
    ...['--role', 'admin', '--department', department.id],
  )
  assert.deepEqual((await api('/operators')).body.items, [operator])
  assert.partialDeepStrictEqual((await cli('operator', 'list', '--project', id)).items, [operator])
  assert.deepEqual((await cli('department', 'list', '--project', id)).items[0].operator_ids, [operator.id])
  const assigned = await api('/tickets', {
    ...ticket,
    operator_id: operator.id,
    department_id: department.id,
  })
  assert.deepEqual([assigned.status, assigned.body.department_name], [201, 'Billing'])
  assert.equal((await stop()).status, 0)
})

test('rejects an impossible plan or operator command with one line and status 2', async context => {
  const { target, drop } = await createDatabase()
  context.after(drop)
  // A shared database: with an embedded one, each command would start and stop Postgres.
  const settings = { DATA_DIR: makeFolder(context), DATABASE_URL: addressOf(target) }
  const { id } = readJson(await deskbell(settings, 'project', 'create', '--name', 'Acme', '--json'))
  await deskbell(settings, 'plan', 'set', 'small', '--name', 'Small')
  await deskbell(settings, 'project', 'plan', id, 'small')
  const operator = ['operator', 'create', '--project', id, '--name', 'Omar', '--email']
  await deskbell(settings, ...operator, 'omar@example.com')
  const mistakes: [string[], RegExp][] = [
    [['plan', 'set', 'Big One', '--name', 'Big'], /lower-case letters/],
    [['plan', 'set', 'big', '--name', 'Big', '--tickets', '-1'], /--tickets/],
    [['plan', 'set', 'big', '--name', 'Big', '--knowledge', 'perhaps'], /must be yes or no/],
    [['plan', 'set', 'big', '--name', 'Big', '--price', '29.00'], /needs a currency/],
    [['plan', 'set', 'big', '--name', 'Big', '--price', '29.001', '--currency', 'EUR'], /2 decimals/],
    [['plan', 'set', 'big', '--name', 'Big', '--price=-29', '--currency', 'EUR'], /0 or more/],
    [['plan', 'set', 'big', '--name', 'Big', '--price', '29', '--currency', 'XQZ'], /not the code/],
    [['plan', 'set', 'big', '--name', 'Big', '--period', 'week'], /month or year/],
    [['plan', 'set', 'big', '--name', 'Big', '--seats', '0'], /--seats/],
    [['plan', 'set', 'big', '--name', 'Big', '--trial-days', '4000'], /3650/],
    [['plan', 'set', 'unlimited', '--name', 'Mine'], /built in/],
    [['plan', 'delete', 'unlimited'], /built in/],
    [['plan', 'delete', 'small'], /is in use/],
    [['plan', 'delete', 'gold'], /does not exist; these do: small, unlimited/],
    [['project', 'plan', id, 'gold'], /does not exist/],
    [[...operator, 'OMAR@example.com'], /already has an operator/],
    [[...operator, 'nobody'], /email address/],
    [[...operator, 'b@example.com', '--role', 'king'], /operator, admin, owner/],
    [[...operator, 'b@example.com', '--department', 'none'], /Department "none" does not exist/],
  ]
  for (const [words, expected] of mistakes) {
    const { status, stdout, stderr } = await deskbell(settings, ...words)
    assert.deepEqual([status, stdout], [2, ''], stderr)
    assert.match(stderr, /^[^\n]+\n$/)
    assert.match(stderr, expected)
  }
})

test('operator link lets in the first owner, and an owner who forgot the password', async context => {
  const { id, cli, url, stop } = await setUp(context)
  const email = 'olga@example.com'
  const make = () => cli('operator', 'link', '--project', id, '--email', email)
  const open = async (link: string, body: object) => {
    const answer = await fetch(`${url}/api/dashboard/links/${link.split('/').at(-1)}`, {
      method: 'POST',
      headers: { origin: url, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return answer.status
  }
  const first = await make()
  assert.deepEqual([first.purpose, first.project_id], ['set_up', id])
  assert.equal(await open(first.url, { name: 'Olga', password: 'correct horse battery' }), 200)
  const { items } = await cli('operator', 'list', '--project', id)
  assert.deepEqual(
    items.map(({ email, role, has_account }: Record<string, unknown>) => [email, role, has_account]),
    [[email, 'owner', true]],
  )
  const second = await make()
  assert.equal(second.purpose, 'reset')
  assert.equal(await open(second.url, { password: 'another horse battery' }), 200)
  assert.equal((await stop()).status, 0)
})
