import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { connect, type Db } from '../../src/core/db/db.ts'
import { startDovecot } from '../dovecot.ts'
import { freePort } from '../free-port.ts'
import { makeMail } from '../mail.ts'
import { needs } from '../needs.ts'
import { startSubmission } from '../submission.ts'
import { until } from '../until.ts'
import { createMailbox } from './create-mailbox.ts'
import {
  deskbell,
  keyOf,
  makeDataDir,
  type Program,
  socketDirOf,
  spawnServer,
  startServer,
} from './program.ts'

/** Mailbox commands, and processes that are killed while they fetch. */

const count = 60

async function withDatabase<T>(dataDir: string, work: (db: Db) => Promise<T>): Promise<T> {
  const target = { host: socketDirOf(dataDir), port: 5432, user: 'deskbell', database: 'deskbell' }
  const db = connect(target, { max: 1 })
  try {
    return await work(db)
  } finally {
    await db.end()
  }
}

/** Ends the leases of the killed process. */
const endLeases = (dataDir: string) =>
  withDatabase(dataDir, async db => {
    await db`update mailboxes set lease_until = null`
    await db`update due_work set due_at = now() where kind = 'mailboxes'`
  })

const untilStored = (dataDir: string, least: number) =>
  withDatabase(dataDir, db => until(async () => (await db`select from incoming_mails`).length >= least, 90))

async function killWhileFetching(t: TestContext, dataDir: string, first: Program): Promise<void> {
  let server = first
  for (const least of [5, 20]) {
    await untilStored(dataDir, least)
    server.child.kill('SIGKILL')
    await server.ended
    server = await startServer(t, { DATA_DIR: dataDir })
    await endLeases(dataDir)
  }
  await untilStored(dataDir, count)
}

test('stores each email once although the server is killed repeatedly', needs('dovecot'), async t => {
  const dataDir = makeDataDir(t)
  const dovecot = await startDovecot(t, { users: { support: 'secret' } })
  for (let at = 0; at < count; at++) await dovecot.deliver('support@example.com', makeMail(`Mail ${at}`))
  const server = await startServer(t, { DATA_DIR: dataDir })
  await createMailbox(dataDir, dovecot.imapPort)
  await killWhileFetching(t, dataDir, server)
  const rows = await withDatabase(
    dataDir,
    db =>
      db<{ uid: number; storage_key: string }[]>`select uid, storage_key from incoming_mails order by uid`,
  )
  assert.deepEqual(
    rows.map(({ uid }) => uid),
    Array.from({ length: count }, (_, at) => at + 1),
  )
  const names = readdirSync(join(dataDir, 'files'), { recursive: true }).map(name => String(name).slice(-32))
  assert.ok(rows.every(({ storage_key }) => names.includes(storage_key)))
})

test('the command line creates, tests, lists, pauses and resumes a mailbox', needs('dovecot'), async t => {
  const dataDir = makeDataDir(t)
  const settings = { DATA_DIR: dataDir }
  const dovecot = await startDovecot(t, { users: { support: 'secret' } })
  await startServer(t, { ...settings, ROLES: 'http' })
  const { id, project } = await createMailbox(dataDir, dovecot.imapPort)
  const tried = await deskbell(settings, 'mailbox', 'test', id)
  assert.deepEqual([tried.status, tried.stdout], [0, 'Login succeeded. INBOX contains 0 emails.\n'])
  const paused = await deskbell(settings, 'mailbox', 'pause', id)
  assert.equal(paused.stdout, 'Mailbox support@example.com is paused\n')
  const listed = await deskbell(settings, 'mailbox', 'list', '--project', project, '--json')
  assert.equal(JSON.parse(listed.stdout).items[0].state, 'paused')
  assert.equal((await deskbell(settings, 'mailbox', 'resume', id)).status, 0)
  const again = await deskbell(
    settings,
    'mailbox',
    'create',
    '--project',
    project,
    '--address',
    'support@example.com',
    '--incoming',
    'listen',
  )
  assert.deepEqual(
    [again.status, again.stderr],
    [2, 'This address already belongs to a mailbox on this server. Choose another address.\n'],
  )
})

test('an address of MAIL_LISTEN that is in use costs no first key, and the next start says where email is accepted', async t => {
  const DATA_DIR = makeDataDir(t)
  const port = await freePort()
  const other = createServer().listen(port, '127.0.0.1')
  await once(other, 'listening')
  const MAIL_LISTEN = `smtp://127.0.0.1:${port}`
  const refused = await spawnServer(t, { DATA_DIR, MAIL_LISTEN }).ended
  assert.equal(refused.status, 1)
  assert.match(refused.stderr, /MAIL_LISTEN: cannot listen on .* \(EADDRINUSE\); choose another port/)
  other.close()
  await once(other, 'close')
  const server = await startServer(t, { DATA_DIR, MAIL_LISTEN })
  assert.match(server.stdout, new RegExp(`It accepts email at ${MAIL_LISTEN}\\.\n`))
  assert.match(keyOf(server), /^sk_/)
})

test('the command line creates a mailbox that sends, and tests its login', async t => {
  const dataDir = makeDataDir(t)
  const settings = { DATA_DIR: dataDir }
  await startServer(t, { ...settings, ROLES: 'http' })
  const submission = await startSubmission(t, { users: { ann: 'secret' } })
  const { items } = JSON.parse((await deskbell(settings, 'project', 'list', '--json')).stdout)
  const file = join(dataDir, 'password')
  writeFileSync(file, 'secret\n')
  const create = (...rest: string[]) =>
    deskbell(
      settings,
      ...['mailbox', 'create', '--project', items[0].id, '--address', 'sales@example.com'],
      ...['--incoming', 'none', '--json', ...rest],
    )
  const unused = await create('--smtp-port', '25')
  assert.match(unused.stderr, /--smtp-port has no effect without --sending smtp; omit it/)
  const made = await create(
    ...['--smtp-host', '127.0.0.1', '--smtp-port', String(submission.port), '--smtp-security', 'none'],
    ...['--smtp-user', 'ann', '--smtp-password-file', file],
  )
  const { id, sending } = JSON.parse(made.stdout)
  assert.equal(sending, 'smtp', made.stderr)
  const tried = await deskbell(settings, 'mailbox', 'test', id)
  assert.match(tried.stdout, /127\.0\.0\.1 is ready to send email from sales@example\.com\.\n$/)
})

test('refuses options that have no effect on a mailbox that is not fetched', async t => {
  const { status, stderr } = await deskbell(
    { DATA_DIR: makeDataDir(t) },
    ...['mailbox', 'create', '--project', 'x', '--address', 'a@example.com', '--incoming', 'listen'],
    ...['--host', 'imap.example.com'],
  )
  assert.equal(status, 2)
  assert.match(stderr, /--host has no effect with --incoming listen; omit it/)
})
