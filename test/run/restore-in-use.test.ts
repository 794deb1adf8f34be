import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { makeInstallation } from '../../bench/backup/data.ts'
import { openDataDir } from '../../bench/data.ts'
import { addressOf, createDatabase } from '../database.ts'
import { openFileContext } from '../file-context.ts'
import { deskbell, makeDataDir, makeFolder } from './program.ts'

const context = openFileContext()

let inUse = ''
let file = ''
let server: Awaited<ReturnType<typeof openDataDir>>

before(async () => {
  inUse = makeDataDir(context)
  await makeInstallation(inUse, { messages: 5, large: 0, files: 0 })
  file = join(makeFolder(context), 'desk.backup')
  const made = await deskbell({ DATA_DIR: inUse }, 'backup', file)
  assert.equal(made.status, 0, made.stderr)
  server = await openDataDir(inUse)
  context.after(server.close)
})

async function refuses(settings: { DATA_DIR: string; DATABASE_URL?: string }): Promise<void> {
  // A server may create its first file at any moment, so it already has this folder.
  mkdirSync(join(settings.DATA_DIR, 'files'), { recursive: true })
  const before = readdirSync(settings.DATA_DIR)
  const { status, stderr } = await deskbell(settings, 'restore', file)
  assert.notEqual(status, 0)
  assert.match(stderr, /The database is not empty; restore into a new one/)
  assert.deepEqual(readdirSync(settings.DATA_DIR), before)
  assert.ok(!existsSync(join(settings.DATA_DIR, 'restore.unfinished')))
}

test('refuses to restore into the DATA_DIR of a running server, which keeps its rows and files', async () => {
  await refuses({ DATA_DIR: inUse })
  const [row] = await server.db`select count(*)::int as count from messages`
  assert.equal(row!.count, 5)
})

test('refuses to restore into a DATABASE_URL in use, and leaves the files beside it', async () => {
  const { target, drop } = await createDatabase()
  context.after(drop)
  await refuses({ DATA_DIR: makeFolder(context), DATABASE_URL: addressOf(target) })
})
