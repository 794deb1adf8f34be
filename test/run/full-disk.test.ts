import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect } from '../../src/core/db/db.ts'
import { type Answer, createClient } from '../client.ts'
import { mountDisk } from '../small-disk.ts'
import { until } from '../until.ts'
import { upload } from '../upload.ts'
import { isAlive, keyOf, postmasterOf, socketDirOf, startServer, stopServer } from './program.ts'

/** src/readiness.test.ts tests the same rules where mounting a disk is not allowed. */

/** Writes until the disk is full. */
function fillUp(path: string): void {
  const file = openSync(path, 'a')
  const zeros = Buffer.alloc(1 << 20)
  try {
    for (;;) writeSync(file, zeros)
  } catch {
    closeSync(file)
  }
}

const isFullDisk = ({ status, body }: Answer, expected: number): boolean =>
  status === expected && body.detail?.reason === 'storage_full'

/**
 * Starts new WAL segments until none fits, and Postgres crashes. Whether it then exits depends on which of
 * its processes first meets the full disk: if it is the checkpointer, the postmaster may restart the recovery
 * again and again. A remaining postmaster is therefore killed.
 */
async function endPostgres(dataDir: string): Promise<void> {
  const postmaster = postmasterOf(dataDir)
  const target = { host: socketDirOf(dataDir), port: 5432, user: 'deskbell', database: 'deskbell' }
  const db = connect(target, { max: 1 })
  const fails = () =>
    db`select pg_logical_emit_message(false, 'test', 'x'), pg_switch_wal()`.then(
      () => false,
      () => true,
    )
  await until(fails)
  await db.end({ timeout: 0 })
  spawnSync('kill', ['-KILL', String(postmaster)])
  await until(() => !isAlive(postmaster))
}

test('reports a full disk, even if the embedded Postgres stopped because of it, and serves again once there is space', async t => {
  const disk = mountDisk(t, 192 * 1_024)
  if (!disk) return t.skip('this user is not allowed to mount a disk')
  const dataDir = join(disk, 'data')
  mkdirSync(dataDir, { mode: 0o755 })
  spawnSync('cp', ['-a', join(process.env.DESKBELL_TEST_INSTALLATION!, 'postgres'), dataDir])
  const server = await startServer(t, { DATA_DIR: dataDir })
  const api = createClient(`${server.url}/api/v1`, keyOf(server))
  const post = () =>
    api.post('/tickets', { contact: { email: 'ann@example.com' }, content: 'x'.repeat(60_000) })
  const findReason = async () => (await createClient(server.url).get('/readyz')).body.reason
  assert.equal((await post()).status, 201)
  const ballast = join(disk, 'ballast')
  fillUp(ballast)
  await until(async () => (await findReason()) === 'storage_full')
  await until(async () => isFullDisk(await post(), 500))
  assert.ok(isFullDisk(await upload(api, { content: 'y'.repeat(300_000) }), 502))
  assert.equal((await api.get('/tickets?search=xxx')).status, 200)
  // Less than one WAL segment.
  truncateSync(ballast, statSync(ballast).size - 8 * 2 ** 20)
  await endPostgres(dataDir)
  assert.ok(isFullDisk(await post(), 500))
  assert.equal(await until(findReason), 'storage_full')
  rmSync(ballast)
  await until(async () => (await post()).status === 201)
  await until(async () => (await findReason()) === undefined)
  await stopServer(server)
})
