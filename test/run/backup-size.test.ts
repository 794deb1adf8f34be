import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { makeInstallation } from '../../bench/backup/data.ts'
import { openArchive } from '../../src/backup/archive.ts'
import { withStallTimeout } from '../../src/backup/stall-timeout.ts'
import { connect } from '../../src/core/db/db.ts'
import { createDatabase } from '../database.ts'
import { openFileContext } from '../file-context.ts'
import { openSilentProxy } from '../silent-proxy.ts'
import { deskbell, makeDataDir, makeFolder } from './program.ts'

/** The short form of `bin/bench backup`. With the unpatched driver, each backup of rows this large hung. */

const size = { messages: 1_000, large: 100, files: 20 }

const context = openFileContext()

let DATA_DIR = ''

before(async () => {
  DATA_DIR = makeDataDir(context)
  await makeInstallation(DATA_DIR, size)
})

async function backUp(dataDir: string, name: string) {
  const file = join(makeFolder(context), name)
  const made = await deskbell({ DATA_DIR: dataDir }, 'backup', file)
  assert.equal(made.status, 0, made.stderr)
  const { manifest, close } = await openArchive(file)
  close()
  const { tables, files, secret_key } = manifest
  return { file, content: { tables, files: new Set(files.map(one => JSON.stringify(one))), secret_key } }
}

test('backs up many rows, large rows and files, and restores them so that a second backup is the same', async () => {
  const first = await backUp(DATA_DIR, 'first')
  const messages = first.content.tables.find(({ table }) => table === 'messages')!
  assert.equal(messages.rows, size.messages)
  assert.ok(messages.bytes > size.large * 60_000)
  assert.equal(first.content.files.size, size.files)
  const restored = join(makeFolder(context), 'new')
  const outcome = await deskbell({ DATA_DIR: restored }, 'restore', first.file)
  assert.equal(outcome.status, 0, outcome.stderr)
  assert.deepEqual((await backUp(restored, 'second')).content, first.content)
})

test('stops with an error when the database no longer responds, but not during a long statement', async t => {
  const { target, drop } = await createDatabase()
  const proxy = await openSilentProxy(`${target.host}/.s.PGSQL.${target.port}`)
  const db = connect({ ...target, host: '127.0.0.1', port: proxy.port }, { max: 1, statementTimeout: 500 })
  t.after(async () => {
    await db.end({ timeout: 0 })
    proxy.close()
    await drop()
  })
  // Long enough for two connections to be opened on a busy machine.
  const timeoutMs = 5_000
  const busy = withStallTimeout(
    db,
    async (own, { follow }) => {
      await follow(own)
      return own`select pg_sleep(6)`
    },
    timeoutMs,
  )
  assert.equal((await busy).length, 1)
  const silent = withStallTimeout(
    db,
    (own, { follow }) =>
      own.begin(async tx => {
        await follow(tx)
        proxy.swallow()
        await tx`select 1`
      }),
    timeoutMs,
  )
  await assert.rejects(silent, /The database has not responded for 5 s/)
})
