import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unique } from '../../test/cast.ts'
import { createDatabase } from '../../test/database.ts'
import { createProject } from './project.ts'

test('projects created with the same name at once get different slugs', async () => {
  const { db, drop } = await createDatabase()
  const name = unique()
  const made = await Promise.all(Array.from({ length: 20 }, () => createProject(db, { name })))
  const slugs = made.map(({ slug }) => slug)
  assert.equal(new Set(slugs).size, 20)
  assert.equal(slugs.filter(slug => slug === name).length, 1)
  const rows = await db<{ slug: string }[]>`select slug from projects where name = ${name}`
  assert.deepEqual(rows.map(({ slug }) => slug).sort(), slugs.sort())
  await drop()
})
