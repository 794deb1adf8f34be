import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { addressOf, createDatabase } from '../../test/database.ts'
import { commands } from './commands.ts'
import { withDatabase, withSession } from './session.ts'

/** Only the server and a restore create a database. A command in the wrong folder changes nothing. */

const folder = mkdtempSync(join(tmpdir(), 'deskbell-session-'))
const { db, target, drop } = await createDatabase()
const own = { ...process.env }
after(async () => {
  process.env = own
  rmSync(folder, { recursive: true })
  await drop()
})
beforeEach(() => {
  process.env.DATA_DIR = join(folder, 'none')
  delete process.env.DATABASE_URL
})

test('a command refuses a DATA_DIR without a database, and does not create one', async () => {
  const missing =
    /^DATA_DIR: there is no database in .*none; set DATA_DIR or DATABASE_URL to the same value as your server/
  await assert.rejects(
    withSession(async () => {}),
    { message: missing },
  )
  assert.ok(!existsSync(process.env.DATA_DIR!))
})

test('doctor reports a missing installation, and does not create one', async () => {
  const doctor = commands.find(({ name }) => name === 'doctor')!
  const { status, result } = await doctor.run({})
  const wrong = (result as { checks: { name: string; ok: boolean }[] }).checks.filter(({ ok }) => !ok)
  assert.equal(status, 1)
  const names = wrong.map(({ name }) => name)
  assert.ok(names.includes('disk') && names.includes('database'), names.join())
  assert.ok(!existsSync(process.env.DATA_DIR!))
})

test('build builds the pages without a database, and does not create one', async () => {
  const build = commands.find(({ name }) => name === 'build')!
  const { result } = await build.run({})
  assert.deepEqual((result as { built: string[] }).built, ['dashboard', 'widget'])
  assert.ok(!existsSync(process.env.DATA_DIR!))
})

test("a command refuses a database without Deskbell's tables, and does not create them", async () => {
  process.env.DATABASE_URL = addressOf(target)
  await db`drop schema public cascade`
  await db`create schema public`
  await assert.rejects(
    withDatabase(async () => {}),
    { message: /^DATABASE_URL: this database has no Deskbell tables yet; / },
  )
  assert.deepEqual(
    [...(await db`select relname from pg_class where relnamespace = 'public'::regnamespace`)],
    [],
  )
  assert.ok(!existsSync(process.env.DATA_DIR!))
})
