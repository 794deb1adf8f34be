import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isStale, printDocuments } from '../../src/docs/files.ts'
import { createDatabase } from '../database.ts'

test('the generated files are up to date with bin/docs', async context => {
  const { db, drop } = await createDatabase()
  context.after(drop)
  const stale = (await printDocuments(db)).filter(isStale).map(({ path }) => path)
  assert.deepEqual(stale, [], 'run bin/docs and commit the result')
})
