import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../../src/core/config/config.ts'
import { createDatabase } from '../database.ts'

const folder = join(root, 'migrations')
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')

test('migration 23 rewrites no message, and messages written by older code are still indexed', async context => {
  const { db, drop } = await createDatabase()
  context.after(drop)
  const names = readdirSync(folder).filter(name => /^\d{4}_/.test(name))
  await db`drop schema public cascade`
  await db`create schema public`
  for (const name of names.sort().filter(name => name < '0023')) await db.unsafe(read(name))
  const [before] = await db`select pg_relation_filenode('messages') as file`
  await db.unsafe(read('0023_bounded_words.sql'))
  const [after] = await db`select pg_relation_filenode('messages') as file`
  assert.equal(after!.file, before!.file)
  await db.unsafe(readFileSync(join(import.meta.dirname, 'rows', '0001.sql'), 'utf8'))
  const missing = await db`select from messages where search <> strip(to_tsvector('simple', content))`
  assert.equal(missing.length, 0)
  await db`update messages set content = 'Another word'`
  const found = await db`select from messages where search @@ to_tsquery('simple', 'another')`
  const [all] = await db`select count(*)::int as count from messages`
  assert.ok(all!.count > 0)
  assert.equal(found.length, all!.count)
})
