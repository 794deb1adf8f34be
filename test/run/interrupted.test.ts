import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createWriteStream, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ZipFile } from 'yazl'
import { makeInstallation } from '../../bench/backup/data.ts'
import { openArchive } from '../../src/backup/archive.ts'
import type { Manifest } from '../../src/backup/manifest.ts'
import { root } from '../../src/core/config/config.ts'
import { addressOf, createDatabase } from '../database.ts'
import { openFileContext } from '../file-context.ts'
import { until } from '../until.ts'
import { deskbell, makeDataDir, makeFolder, run, spawnServer } from './program.ts'

const context = openFileContext()

let file = ''
let manifest: Manifest

async function readManifest(path: string): Promise<Manifest> {
  const archive = await openArchive(path)
  archive.close()
  return archive.manifest
}

before(async () => {
  const DATA_DIR = makeDataDir(context)
  await makeInstallation(DATA_DIR, { messages: 50, large: 1, files: 3 })
  file = join(makeFolder(context), 'desk.backup')
  const made = await deskbell({ DATA_DIR }, 'backup', file)
  assert.equal(made.status, 0, made.stderr)
  manifest = await readManifest(file)
})

const markOf = ({ DATA_DIR }: { DATA_DIR: string }): string => join(DATA_DIR, 'restore.unfinished')

/** Kills the restore this many milliseconds after it has written its mark. */
async function breakOff(settings: { DATA_DIR: string }, signal: NodeJS.Signals, delay: number) {
  const { child, ended } = run(process.execPath, [join(root, 'src/cli/main.ts'), 'restore', file], settings)
  await until(() => existsSync(markOf(settings)) || child.exitCode !== null)
  await sleep(delay)
  child.kill(signal)
  return ended
}

const unfinished = /a restore into .* is running or was interrupted; .*run deskbell restore again/

async function refusesCommands(settings: { DATA_DIR: string }): Promise<void> {
  for (const words of [['project', 'list'], ['doctor'], ['backup', join(settings.DATA_DIR, 'x')]]) {
    const { status, stdout, stderr } = await deskbell(settings, ...words)
    assert.equal(status, 1, stdout)
    assert.match(stdout + stderr, unfinished)
  }
}

async function refusesServer(settings: { DATA_DIR: string }): Promise<void> {
  const { status, stderr } = await spawnServer(context, settings).ended
  assert.equal(status, 1, stderr)
  assert.match(stderr, unfinished)
}

const rowsOf = ({ tables }: Manifest) => tables.map(({ table, rows, sha256 }) => [table, rows, sha256])

/** Checks that the restored data is the archive's: a backup of it has the same bytes. */
async function isTheSame(settings: { DATA_DIR: string }): Promise<void> {
  assert.ok(!existsSync(markOf(settings)))
  const copy = join(makeFolder(context), 'copy.backup')
  const made = await deskbell(settings, 'backup', copy)
  assert.equal(made.status, 0, made.stderr)
  const again = await readManifest(copy)
  assert.deepEqual(rowsOf(again), rowsOf(manifest))
  assert.deepEqual(again.files.map(({ name }) => name).sort(), manifest.files.map(({ name }) => name).sort())
}

/**
 * What restores leave that were broken off. On a busy machine, a signal may come only when the restore has
 * completed.
 */
async function makeRemains(...signals: NodeJS.Signals[]): Promise<{ DATA_DIR: string }> {
  const settings = { DATA_DIR: join(makeFolder(context), 'new') }
  for (const signal of signals) {
    await breakOff(settings, signal, Math.random() * 300)
    if (!existsSync(markOf(settings))) return makeRemains(...signals)
  }
  return settings
}

test('refuses to start on the remains of a killed restore until another restore has completed', async () => {
  const killed = await makeRemains('SIGKILL')
  await refusesCommands(killed)
  await refusesServer(killed)
  const settings = await makeRemains('SIGKILL', 'SIGTERM')
  await refusesCommands(settings)
  const second = await deskbell(settings, 'restore', file)
  assert.equal(second.status, 0, second.stderr)
  assert.deepEqual(
    readdirSync(settings.DATA_DIR).filter(name => /unfinished|restored/.test(name)),
    [],
  )
  await isTheSame(settings)
})

async function makePlace() {
  const { db, target, drop } = await createDatabase()
  context.after(drop)
  await db.unsafe('drop schema public cascade; create schema public')
  return { DATA_DIR: join(makeFolder(context), 'new'), DATABASE_URL: addressOf(target) }
}

test('a restore killed at any moment either leaves its mark or has completed', async () => {
  let settings = await makePlace()
  for (const signal of [
    'SIGTERM',
    'SIGHUP',
    'SIGKILL',
    'SIGTERM',
    'SIGHUP',
    'SIGKILL',
    'SIGHUP',
    'SIGKILL',
  ] as const) {
    await breakOff(settings, signal, Math.random() * 500)
    if (existsSync(markOf(settings))) await refusesCommands(settings)
    else {
      await isTheSame(settings)
      settings = await makePlace()
    }
  }
  const last = await deskbell(settings, 'restore', file)
  assert.equal(last.status, 0, last.stderr)
  await isTheSame(settings)
})

test('rejects a backup of a newer version before writing anything, and names the version', async () => {
  const newer = { version: 9_999, name: 'of_tomorrow', checksum: '' }
  const zip = new ZipFile()
  const content = { ...manifest, deskbell: '99.0.0', migrations: [...manifest.migrations, newer] }
  const strange = join(makeFolder(context), 'newer.backup')
  const archive = await openArchive(file)
  for (const entry of [...manifest.tables, ...manifest.files, manifest.secret_key!])
    zip.addBuffer(await archive.readWhole(entry), entry.name)
  archive.close()
  zip.addBuffer(Buffer.from(JSON.stringify(content)), 'manifest.json')
  zip.end()
  await once(zip.outputStream.pipe(createWriteStream(strange)), 'close')
  const target = join(makeFolder(context), 'new')
  const { status, stderr } = await deskbell({ DATA_DIR: target }, 'restore', strange)
  assert.equal(status, 2, stderr)
  assert.match(
    stderr,
    /was made by Deskbell 99\.0\.0, and this version, .*, does not know its migration 9999 of_tomorrow/,
  )
  assert.ok(!existsSync(target))
})
