import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createDatabase } from '../../test/database.ts'
import { root } from '../core/config/config.ts'
import { createProject } from '../projects/projects.ts'

const [ofProjects = ''] = readFileSync(join(root, 'migrations/0005_knowledge_base.sql'), 'utf8').split(
  '\n-- How the words',
)

test('existing projects get unique addresses for their help centres', async context => {
  const { db, drop } = await createDatabase()
  context.after(drop)
  const names = ['Acme', 'ACME!', 'Müller & Söhne', 'Помощь', `${'long '.repeat(20)}`, 'Zoë  --  Ⅳ']
  const made = []
  for (const name of names) made.push(await createProject(db, { name }))
  await db`alter table projects drop slug, drop default_locale, drop color, drop logo_url, drop has_help_centre`
  await db.unsafe(ofProjects)
  const rows = await db<{ id: string; slug: string }[]>`select id, slug from projects order by created_at, id`
  assert.deepEqual(
    rows.map(row => row.slug),
    [
      'acme',
      `acme-${made[1]!.id.slice(-12)}`,
      'muller-sohne',
      'project',
      'long-long-long-long-long-long-long-long-long-long',
      'zoe-iv',
    ],
  )
  assert.deepEqual(
    made.map(project => project.slug),
    rows.map(row => row.slug),
  )
})
