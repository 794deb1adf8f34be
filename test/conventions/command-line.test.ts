import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { commands } from '../../src/cli/commands.ts'
import { readArguments } from '../../src/cli/parse.ts'
import { newId } from '../../src/core/ids.ts'
import { createProject } from '../../src/projects/projects.ts'
import { addressOf, createDatabase, type TestDatabase } from '../database.ts'
import { startStandIn } from '../telegram/stand-in.ts'

/** Every change that the command line makes to a project is in the project's audit log. */

/** These commands only read. */
const reading = [
  ...['project list', 'project bucket show', 'plan list', 'key list', 'operator list', 'department list'],
  ...['mailbox list', 'mailbox test', 'mail list', 'mail show', 'telegram list', 'telegram test'],
  ...['channel list', 'import list'],
  ...['billing show', 'billing ledger', 'billing orders', 'billing receipt', 'article list', 'doctor'],
]

/**
 * These change nothing in a project (a plan can be deleted only if no project has it), or delete the project
 * with its audit log.
 */
const ofInstallation = ['backup', 'restore', 'build', 'plan delete', 'project delete']

/** These all record the same action, whose detail names the format. */
const importing = ['import mbox', 'import maildir', 'import zendesk', 'import archive']

/** The audit action that each command has recorded. */
const noted = new Map<string, string>()

let database: TestDatabase
let folder: string
let id: string
before(async () => {
  database = await createDatabase()
  folder = mkdtempSync(join(tmpdir(), 'deskbell-command-line-'))
  const settings = {
    DATA_DIR: folder,
    DATABASE_URL: addressOf(database.target),
    PAYMENT_INSTRUCTIONS: 'IBAN DE02',
  }
  Object.assign(process.env, settings)
  id = (await createProject(database.db, { name: 'Acme' })).id
})
after(async () => {
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

// biome-ignore lint/suspicious/noExplicitAny: each command has its own result
async function call(...words: string[]): Promise<any> {
  const [command] = commands
    .filter(({ name }) => `${words.join(' ')} `.startsWith(`${name} `))
    .sort((one, other) => other.name.length - one.name.length)
  return { name: command!.name, ...(await command!.run(readArguments(command!, words))) }
}

/** Runs a command, and checks that the newest audit entry belongs to it. */
async function change(...words: string[]) {
  const { name, result } = await call(...words)
  const project = name === 'project create' ? result.id : id
  const [entry] = await database.db`
    select author_type, action from audit_entries where project_id = ${project} order by created_at desc, id desc limit 1`
  assert.equal(entry?.author_type, 'cli', name)
  const others = [...noted].filter(([other]) => other !== name).map(([, action]) => action)
  assert.ok(!others.includes(entry!.action), `${name} left no entry`)
  noted.set(name, entry!.action)
  return result
}

/** A bucket that returns the last part of the URL, as if it had stored it. */
async function startBucket(): Promise<{ endpoint: string; stop(): void }> {
  const server = createServer((request, response) => {
    request.resume()
    const uploads = request.url!.includes('uploads')
    response.writeHead(200, { etag: '"x"' })
    response.end(uploads ? '<ListMultipartUploadsResult/>' : request.url!.split('?')[0]!.split('/').at(-1))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop }
}

test('records in the audit log what the command line does to projects', async () => {
  await change('project', 'create', '--name', 'Other')
  await change('project', 'suspend', id)
  await change('project', 'resume', id)
  await change('project', 'help', id, '--color', '#123456')
})

test('records bucket changes without the secret', async context => {
  const { endpoint, stop } = await startBucket()
  context.after(stop)
  const secret = join(folder, 'secret')
  writeFileSync(secret, 'very-secret')
  const place = `--endpoint ${endpoint} --bucket own --region us-east-1 --access-key-id key`
  await change('project', 'bucket', id, ...place.split(' '), '--secret-access-key-file', secret)
  await change('project', 'bucket', 'remove', id)
  const [row] = await database.db`select string_agg(detail::text, '') as text from audit_entries`
  assert.doesNotMatch(row!.text, /very-secret/)
})

test('records billing changes', async () => {
  await call(...'plan set free --name Free --entry yes'.split(' '))
  await call(...'plan set team --name Team --price 29.00 --currency EUR --rank 1 --for-sale yes'.split(' '))
  const order = async () => (await change('billing', 'top-up', id, '--amount', '100')).order_id
  const paid = await order()
  await change('billing', 'confirm', paid)
  await change('billing', 'cancel', await order())
  await change('billing', 'credit', id, '--amount', '5', '--note', 'A gift')
  await change('billing', 'correct', id, '--amount', '-1', '--note', 'A slip')
  await change('billing', 'next', id, 'team')
  await change('billing', 'auto-renew', id, 'off')
  await change('billing', 'renew', id)
  await change('billing', 'refund', paid, '--amount', '1')
  await change('project', 'plan', id, 'unlimited')
})

test('records changes to keys and people without the key', async () => {
  const made = await change('key', 'create', '--project', id, '--name', 'Shop')
  await change('key', 'disable', made.id)
  await change('key', 'delete', made.id)
  const ada = ['--project', id, '--name', 'Ada', '--email', 'ada@example.com']
  await change('operator', 'create', ...ada)
  await change('operator', 'link', '--project', id, '--email', 'ada@example.com')
  await change('department', 'create', '--project', id, '--name', 'Sales')
  const [row] = await database.db`select string_agg(detail::text, '') as text from audit_entries`
  assert.ok(!row!.text.includes(made.key))
})

test('records changes to mailboxes', async () => {
  const place = ['--address', 'support@example.com', '--incoming', 'listen']
  const made = await change('mailbox', 'create', '--project', id, ...place)
  await change('mailbox', 'pause', made.id)
  await change('mailbox', 'resume', made.id)
  await change('mailbox', 'delete', made.id)
})

test('records changes to Telegram bots', async t => {
  const standIn = await startStandIn()
  t.after(() => standIn.close())
  const file = join(folder, 'token')
  writeFileSync(file, standIn.addBot().token)
  const place = ['--token-file', file, '--api-root', standIn.url]
  const made = await change('telegram', 'create', '--project', id, ...place)
  await change('telegram', 'pause', made.id)
  await change('telegram', 'resume', made.id)
  await change('telegram', 'retry', made.id)
  await change('telegram', 'delete', made.id)
})

test('records changes to custom channels', async () => {
  const made = await change('channel', 'create', '--project', id, '--name', 'signal', '--title', 'Signal')
  assert.deepEqual(
    (await call('channel', 'list', '--project', id)).result.items.map((one: { id: string }) => one.id),
    [made.id],
  )
  const wrong = call('channel', 'create', '--project', id, '--name', 'My Signal', '--title', 'Signal')
  await assert.rejects(wrong, /--name must be up to 32 lower-case letters/)
  await change('channel', 'pause', made.id)
  await change('channel', 'resume', made.id)
  await change('channel', 'delete', made.id)
})

test('records that an email is handled again', async () => {
  const mail = newId()
  await database.db`
    insert into incoming_mails (project_id, id, source, size, storage_key, received_at, state, outcome)
    values (${id}, ${mail}, 'lmtp', 1, 'key', now(), 'parked', 'no_sender')`
  await change('mail', 'reparse', mail)
})

test('records changes to articles and the demo', async () => {
  const page = join(folder, 'hello.md')
  writeFileSync(page, '---\ntitle: Hello\n---\n\nText\n')
  await change('article', 'import', page, '--project', id)
  const [article] = await database.db`select id from articles where project_id = ${id}`
  for (const word of ['publish', 'archive', 'delete']) await change('article', word, article!.id)
  await change('demo', '--project', id)
})

test('records imports with their format, and the removal of an import', async () => {
  const mail = 'From: Ann <ann@example.com>\nSubject: Lamp\n\nText\n'
  const mbox = join(folder, 'mail.mbox')
  writeFileSync(mbox, `From - Mon Jan  5 10:00:00 2026\n${mail}`)
  await change('import', 'mbox', mbox, '--project', id)
  const [entry] = await database.db`select detail from audit_entries where action = 'import.started'`
  assert.deepEqual(entry!.detail, { format: 'mbox' })
  await change('import', 'remove', 'mbox', '--project', id)
})

test('records a change to all projects, or to those on a plan, in each of them and no other', async () => {
  const other = (await createProject(database.db, { name: 'Other' })).id
  const newestOf = async (project: string) => {
    const [entry] = await database.db`
      select action, detail from audit_entries where project_id = ${project} order by created_at desc, id desc limit 1`
    return entry
  }
  await change('maintenance', 'on')
  const switched = {
    action: 'project.maintenance_changed',
    detail: { before: { maintenance: false }, after: { maintenance: true } },
  }
  assert.deepEqual([await newestOf(id), await newestOf(other)], [switched, switched])
  const count = async () => (await database.db`select from audit_entries`).length
  const before = await count()
  await call('maintenance', 'on')
  assert.equal(await count(), before, 'maintenance was already on')
  await change('maintenance', 'off')
  await call(...'plan set gold --name Gold --price 9.00 --currency EUR --rank 2'.split(' '))
  await change('project', 'plan', id, 'gold')
  await change(...'plan set gold --price 19.00 --currency EUR'.split(' '))
  assert.deepEqual(await newestOf(id), {
    action: 'billing.plan_changed',
    detail: { before: { price: 9 }, after: { price: 19 } },
  })
  assert.equal((await newestOf(other))!.detail.after.maintenance, false)
  const now = await count()
  await call(...'plan set gold --price 19.00 --currency EUR'.split(' '))
  await call(...'plan set silver --name Silver'.split(' '))
  await call('plan', 'delete', 'silver')
  assert.equal(await count(), now, 'no project changed')
})

test('every command either is tested above or changes no project', () => {
  const known = new Set([...noted.keys(), ...importing, ...reading, ...ofInstallation])
  assert.deepEqual([...known].sort(), commands.map(({ name }) => name).sort())
})

test('lists orders by status, and rejects an unknown status', async () => {
  const { result } = await call('billing', 'orders', '--status', 'waiting')
  assert.ok(result.items.every(({ status }: { status: string }) => status === 'waiting'))
  await assert.rejects(
    call('billing', 'orders', '--status', 'lost'),
    /--status must be one of waiting, disputed/,
  )
})

test('a failed change leaves no audit entry', async () => {
  const count = async () => (await database.db`select from audit_entries`).length
  const before = await count()
  await assert.rejects(
    call('operator', 'create', '--project', id, '--name', 'A', '--email', 'ada@example.com'),
  )
  await assert.rejects(call('project', 'plan', id, 'missing'))
  assert.equal(await count(), before)
})
