import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { makeInstallation } from '../../bench/backup/data.ts'
import { openDataDir } from '../../bench/data.ts'
import type { Db } from '../../src/core/db/db.ts'
import { openFileContext } from '../file-context.ts'
import { mountDisk } from '../small-disk.ts'
import { until } from '../until.ts'
import { deskbell, makeDataDir, makeFolder } from './program.ts'

/** Without the fix, both commands wait for ever. */
const bound = { timeout: 120_000 }

const context = openFileContext()

let DATA_DIR = ''
let whole = ''
let db: Db

before(async () => {
  DATA_DIR = makeDataDir(context)
  await makeInstallation(DATA_DIR, { messages: 300, large: 160, files: 0 })
  const opened = await openDataDir(DATA_DIR)
  context.after(opened.close)
  db = opened.db
  whole = join(makeFolder(context), 'whole.backup')
  const made = await deskbell({ DATA_DIR }, 'backup', whole)
  assert.equal(made.status, 0, made.stderr)
})

const isSnapshotHeld = async (): Promise<boolean> => {
  const [row] = await db`
    select count(*)::int as count from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid() and state <> 'idle'`
  return row!.count > 0
}

test('refuses a backup that does not fit on its disk before starting it', bound, async t => {
  const disk = mountDisk(t, 256)
  if (!disk) return t.skip('only root mounts a small disk')
  const { status, stderr } = await deskbell({ DATA_DIR }, 'backup', join(disk, 'small.backup'))
  assert.equal(status, 1, stderr)
  assert.match(
    stderr,
    /^There is not enough space for .*small\.backup, on the disk at .*: 0 MiB are free, and/,
  )
  assert.ok(stderr.includes(`the disk at ${disk}`), stderr)
  assert.deepEqual(readdirSync(disk), [])
})

test(
  'a backup on a full disk stops, names the disk, releases its snapshot and leaves no file',
  bound,
  async t => {
    const disk = mountDisk(t, 3_500)
    if (!disk) return t.skip('only root mounts a small disk')
    const { status, stderr } = await deskbell({ DATA_DIR }, 'backup', join(disk, 'full.backup'))
    assert.equal(status, 1, stderr)
    assert.match(stderr, /There was no space left for .*full\.backup, on the disk at /)
    assert.ok(stderr.includes(`the disk at ${disk}`), stderr)
    assert.deepEqual(readdirSync(disk), [])
    assert.deepEqual(
      readdirSync(DATA_DIR).filter(name => name.startsWith('backup.')),
      [],
    )
    await until(async () => !(await isSnapshotHeld()))
  },
)

test('refuses a restore that does not fit on its disk before writing anything', bound, async t => {
  const disk = mountDisk(t, 60_000)
  if (!disk) return t.skip('only root mounts a small disk')
  const target = join(disk, 'new')
  const { status, stderr } = await deskbell({ DATA_DIR: target }, 'restore', whole)
  assert.equal(status, 1, stderr)
  assert.match(stderr, /^There is not enough space for .*, on the disk at .*: \d+ MiB are free, and at least/)
  assert.ok(!existsSync(target))
})

test('a restore on a full disk stops, names the disk and leaves nothing', bound, async t => {
  const disk = mountDisk(t, 90_000)
  if (!disk) return t.skip('only root mounts a small disk')
  const target = join(disk, 'new')
  const { status, stderr } = await deskbell({ DATA_DIR: target }, 'restore', whole)
  assert.equal(status, 1, stderr)
  assert.match(stderr, /There was no space left for .*, on the disk at /)
  assert.ok(stderr.includes(`the disk at ${disk}`), stderr)
  assert.ok(!existsSync(target))
})
