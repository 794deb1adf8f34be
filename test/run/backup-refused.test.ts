import assert from 'node:assert/strict'
import { copyFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeInstallation } from './filled-installation.ts'
import { deskbell, makeFolder, stopServer } from './program.ts'

test('rejects a truncated or changed backup before changing anything', async t => {
  const { DATA_DIR, server } = await makeInstallation(t)
  const folder = makeFolder(t)
  const whole = join(folder, 'whole')
  assert.equal((await deskbell({ DATA_DIR }, 'backup', whole)).status, 0)
  await stopServer(server)
  const { size } = statSync(whole)
  const target = join(folder, 'target')
  const refuse = async (file: string, reason: RegExp) => {
    const { status, stderr } = await deskbell({ DATA_DIR: target }, 'restore', file)
    assert.equal(status, 2, stderr)
    assert.match(stderr, reason)
    assert.ok(!existsSync(target))
  }
  for (const length of [0, 100, size / 2, size - 1]) {
    const cut = join(folder, `cut-${Math.floor(length)}`)
    copyFileSync(whole, cut)
    truncateSync(cut, Math.floor(length))
    await refuse(cut, /is not a complete backup/)
  }
  const bytes = readFileSync(whole)
  const changed = join(folder, 'changed')
  // The key is the first entry; its content follows its header and name.
  bytes[30 + 'secret.key'.length + 40]! ^= 1
  writeFileSync(changed, bytes)
  await refuse(changed, /is not a complete backup/)
})

test('requires the key to restore a backup made without it', async t => {
  const { DATA_DIR, server } = await makeInstallation(t)
  const file = join(makeFolder(t), 'keyless')
  const made = await deskbell({ DATA_DIR }, 'backup', file, '--without-key')
  assert.match(made.stdout, /without the secret key/)
  await stopServer(server)
  const target = join(makeFolder(t), 'new')
  const keyless = await deskbell({ DATA_DIR: target }, 'restore', file)
  assert.equal(keyless.status, 2)
  assert.match(keyless.stderr, /set SECRET_KEY/)
  const wrong = await deskbell({ DATA_DIR: target, SECRET_KEY: '0'.repeat(64) }, 'restore', file)
  assert.match(wrong.stderr, /encrypted with another key/)
  const SECRET_KEY = readFileSync(join(DATA_DIR, 'secret.key'), 'utf8').trim()
  const right = await deskbell({ DATA_DIR: target, SECRET_KEY }, 'restore', file)
  assert.equal(right.status, 0, right.stderr)
  assert.ok(!existsSync(join(target, 'secret.key')))
})
