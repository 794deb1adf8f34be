import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { deskbell, makeDataDir, makeFolder, spawnServer, untilReady } from './program.ts'

// One server for all tests, so that the commands need not start Postgres.
const DATA_DIR = makeDataDir({ after })
const server = spawnServer({ after }, { DATA_DIR })
before(() => untilReady(server))

async function call(...args: string[]) {
  const { status, stdout, stderr } = await deskbell({ DATA_DIR }, ...args, '--json')
  return { status, stderr, body: stdout ? JSON.parse(stdout) : null }
}

async function makeProject(name: string): Promise<{ id: string; slug: string }> {
  const made = await call('project', 'create', '--name', name)
  assert.equal(made.status, 0, made.stderr)
  return made.body
}

async function assertMistake(...args: string[]): Promise<void> {
  const { status, stderr } = await call(...args)
  assert.equal(status, 2, args.join(' '))
  assert.match(stderr, /^[^\n]+\n$/)
}

test('article import counts what it did, names what is wrong, and then exits with status 1', async context => {
  const project = await makeProject('Importing')
  const folder = makeFolder(context)
  writeFileSync(join(folder, 'good.md'), '---\ntitle: Good\n---\n\nText.\n')
  writeFileSync(join(folder, 'bad.md'), '---\ntitle: Bad\nstatus: live\n---\n')
  const imported = await call('article', 'import', folder, '--project', project.id)
  const error = 'status must be one of draft, published, archived'
  assert.equal(imported.status, 1)
  assert.deepEqual(imported.body, {
    imported: 1,
    updated: 0,
    unchanged: 0,
    failed: [{ file: 'bad.md', line: 3, error }],
    warnings: [],
  })
  await assertMistake('article', 'import', join(folder, 'none'), '--project', project.id)
  await assertMistake('article', 'import', folder, '--project', project.id, '--status', 'live')
})

test('article import warns about a broken link, and succeeds', async context => {
  const { id } = await makeProject('Linking')
  const folder = makeFolder(context)
  writeFileSync(join(folder, 'good.md'), '---\ntitle: Good\n---\n\n[x](nowhere.md)\n')
  const words = ['article', 'import', folder, '--project', id]
  const { status, body } = await call(...words)
  const warning = 'leads to nowhere.md, which is not imported'
  assert.deepEqual([status, body.warnings], [0, [{ file: 'good.md', line: 5, warning }]])
  const { stdout } = await deskbell({ DATA_DIR }, ...words)
  assert.equal(
    stdout,
    `good.md:5: warning: ${warning}\n0 imported, 0 updated, 1 unchanged, 0 failed; warnings: 1\n`,
  )
})

test('lists, publishes, archives and deletes articles', async context => {
  const project = await makeProject('Listing')
  const folder = makeFolder(context)
  writeFileSync(join(folder, 'good.md'), '---\ntitle: Good\n---\n\nText.\n')
  assert.equal((await call('article', 'import', folder, '--project', project.id)).status, 0)
  const list = async () => (await call('article', 'list', '--project', project.id)).body.items
  const [{ id, ...article }] = await list()
  const draft = { slug: 'good', title: 'Good', status: 'draft', is_internal: false, views_count: 0 }
  assert.deepEqual(article, { ...draft, locales: 'en*' })
  assert.deepEqual((await call('article', 'publish', id)).body, { id, status: 'published' })
  assert.deepEqual((await list())[0], { ...draft, id, status: 'published', locales: 'en' })
  assert.deepEqual((await call('article', 'archive', id)).body, { id, status: 'archived' })
  assert.deepEqual((await call('article', 'delete', id)).body, { id, status: 'deleted' })
  assert.deepEqual(await list(), [])
  await assertMistake('article', 'publish', id)
})

test('gives each project a help centre address, which can be changed together with its look', async () => {
  const project = await makeProject('Müller & Söhne')
  assert.equal(project.slug, 'muller-sohne')
  const options = '--slug help --color #1A73E8 --logo https://x.example/a.svg --locale pt-br --public no'
  const { body } = await call('project', 'help', project.id, ...options.split(' '))
  assert.deepEqual(body, {
    slug: 'help',
    color: '#1a73e8',
    logo_url: 'https://x.example/a.svg',
    default_locale: 'pt-BR',
    has_help_centre: false,
    url: 'http://localhost:0/help/help',
  })
  const other = await makeProject('Müller & Söhne')
  for (const wrong of ['--slug help', '--color red', '--logo javascript:x'])
    await assertMistake('project', 'help', other.id, ...wrong.split(' '))
})
