import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { buildApp } from '../../src/app.ts'
import { readConfig, root } from '../../src/core/config/config.ts'
import { createVault } from '../../src/core/crypto.ts'
import { connect, type Db } from '../../src/core/db/db.ts'
import { migrate, pendingMigrations } from '../../src/core/db/migrate.ts'
import { createLog } from '../../src/core/telemetry/log.ts'
import { dumpSchema } from '../../src/docs/schema-dump.ts'
import { createDatabase, type TestDatabase } from '../database.ts'

/** Databases as earlier versions left them, with rows written by these versions. */

export const log = createLog('silent')
const migrations = join(root, 'migrations')
export const files = readdirSync(migrations)
  .filter(name => /^\d{4}_/.test(name))
  .sort()
/** Where the versions are divided between two test files. */
export const middle = Math.ceil(files.length / 2)
const rowsOf = (file: string): string => join(import.meta.dirname, 'rows', `${file.slice(0, 4)}.sql`)

/** A database on its way through the versions, from which the old databases are copied. */
interface Origin {
  database: TestDatabase
  /** The migrations that have run in it. */
  folder: string
  count: number
}

let origin: Origin | null = null

export async function deleteOrigin(): Promise<void> {
  if (!origin) return
  rmSync(origin.folder, { recursive: true })
  await origin.database.drop()
  origin = null
}

async function createOrigin(): Promise<Origin> {
  await deleteOrigin()
  const folder = mkdtempSync(join(tmpdir(), 'deskbell-upgrade-'))
  return { database: await createDatabase({ template: 'template0' }), folder, count: 0 }
}

/** Runs the next migrations one by one. The rows of each migration are inserted before the next one. */
async function advance(one: Origin, count: number): Promise<void> {
  const db = connect(one.database.target, { max: 2 })
  for (const file of files.slice(one.count, count)) {
    cpSync(join(migrations, file), join(one.folder, file))
    await migrate(db, log, one.folder)
    if (existsSync(rowsOf(file))) await db.unsafe(readFileSync(rowsOf(file), 'utf8'))
    one.count++
  }
  // A database can be copied only while nobody is connected to it.
  await db.end()
}

/** Creates a database as the version with the first `count` migrations left it. */
export async function makeOld(context: TestContext, count: number): Promise<Db> {
  if (!origin || origin.count > count) origin = await createOrigin()
  await advance(origin, count)
  const { db, drop } = await createDatabase({ template: origin.database.target.database })
  context.after(drop)
  return db
}

async function openApi(context: TestContext, db: Db) {
  const dataDir = mkdtempSync(join(tmpdir(), 'deskbell-upgrade-'))
  const config = { ...readConfig({ PUBLIC_URL: 'http://localhost' }), dataDir }
  const stopping = new AbortController().signal
  const app = await buildApp({ config, db, log, vault: createVault(randomBytes(32)), stopping })
  context.after(async () => {
    await app.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return async (method: 'GET' | 'POST', path: string, payload?: object) => {
    const headers = { authorization: 'Bearer sk_upgrade' }
    const answer = await app.inject({ method, url: `/api/v1${path}`, headers, ...(payload && { payload }) })
    assert.ok(answer.statusCode < 300, `${method} ${path}: ${answer.statusCode} ${answer.body}`)
    return answer.body ? answer.json() : null
  }
}

/** Checks that old records can be read, and that new ones can be created. */
async function checkServed(context: TestContext, db: Db): Promise<void> {
  const call = await openApi(context, db)
  const { items } = await call('GET', '/tickets?sort=updated_at&status=open,closed')
  assert.deepEqual(items.map((ticket: { short_id: string }) => ticket.short_id).sort(), ['1', '2'])
  const ticket = await call('GET', '/tickets/1')
  assert.deepEqual([ticket.subject, ticket.tags], ['Cannot pay', ['refund', 'vip']])
  const messages = await call('GET', '/tickets/1/messages')
  assert.equal(messages.items[0].content, 'My card is refused.')
  const [chats] = await db`select count(*)::int as count from widget_tickets`
  assert.deepEqual(
    [ticket.contact_identity, (await call('GET', '/tickets/2')).contact_identity],
    chats!.count ? ['proved', 'typed'] : [null, null],
  )
  assert.equal((await call('GET', '/tickets?q=pay')).items.length, 1)
  const posted = await call('POST', '/tickets/1/messages', { content: 'We look into it.' })
  assert.equal(posted.content, 'We look into it.')
  assert.equal((await call('GET', '/tickets?sort=-updated_at')).items[0].short_id, '1')
  const made = await call('POST', '/tickets', { contact: { email: 'ann@example.com' } })
  assert.equal(made.short_id, '3')
  const updates = await call('GET', '/updates?after=0&timeout=0')
  assert.deepEqual(
    updates.items.map((event: { seq: number }) => event.seq),
    updates.items.map((_: unknown, at: number) => at + 1),
  )
  assert.ok((await call('GET', '/tags')).items.some((tag: { name: string }) => tag.name === 'vip'))
  const [queue] = await db`select count(*)::int as count from webhook_queue`
  assert.equal(queue!.count, 1 + updates.items.length - 2)
}

/** Migrates the databases of these versions, by position, to the newest version, and uses each. */
export function testVersions(from: number, to: number): void {
  after(deleteOrigin)
  for (const [at, file] of files.entries())
    if (at >= from && at < to)
      test(`migrates a database of ${file} to the newest version, and serves it`, async t => {
        const db = await makeOld(t, at + 1)
        assert.equal((await pendingMigrations(db)).length, files.length - at - 1)
        await migrate(db, log)
        assert.equal(await dumpSchema(db), readFileSync(join(migrations, 'schema.sql'), 'utf8'))
        await checkServed(t, db)
      })
}
