import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ensureDataDir } from '../db/postgres.ts'
import { describeReaders } from './data-dir.ts'

const home = mkdtempSync(join(tmpdir(), 'deskbell-data-dir-'))
after(() => rmSync(home, { recursive: true, force: true }))

test('a new DATA_DIR is not accessible to other users of the machine', () => {
  const path = ensureDataDir(join(home, 'above', 'data'))
  assert.equal(statSync(path).mode & 0o066, 0)
  assert.equal(describeReaders(path), null)
})

test('does not change the mode of a DATA_DIR that others can read, and says how to change it', () => {
  const path = ensureDataDir(join(home, 'open'))
  chmodSync(path, 0o755)
  ensureDataDir(path)
  assert.equal(statSync(path).mode & 0o777, 0o755)
  assert.match(describeReaders(path)!, /close it: chmod 7\d\d /)
})
