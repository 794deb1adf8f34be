import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isStale, printDocuments } from '../../src/docs/files.ts'
import { createDatabase } from '../database.ts'

test('the generated files are what bin/docs would write now', async context => {
  const { db, drop } = await createDatabase()
  context.after(drop)
  const stale = (await printDocuments(db)).filter(isStale).map(({ path }) => path)
  assert.deepEqual(stale, [], 'run bin/docs and commit what it writes')
})
