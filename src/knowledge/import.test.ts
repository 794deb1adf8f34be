import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { unique as newHex } from '../../test/cast.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { makeZip, type ZipEntry } from '../../test/zip.ts'
import { importArticles, NoSources } from './knowledge.ts'

/** Starts with a letter, because YAML would read digits, also with one e among them, as a number. */
const unique = (): string => `s${newHex()}`

let server: TestServer
before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

type Files = Record<string, string | Buffer>

function folderOf(context: TestContext, files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'articles '))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), content)
  }
  return folder
}

const importFiles = (context: TestContext, files: Files) =>
  importArticles(server.db, server.acme.id, folderOf(context, files))

async function importZip(context: TestContext, entries: ZipEntry[]) {
  const folder = folderOf(context, { 'a.zip': makeZip(entries) })
  return importArticles(server.db, server.acme.id, join(folder, 'a.zip'))
}

const page = (front: string, content = 'Hello.'): string => `---\n${front}\n---\n\n${content}\n`
const read = async (slug: string, locale = 'en') =>
  (await server.api.get(`/knowledge-base/articles/${slug}?locale=${locale}`)).body
const listTitles = async (): Promise<string[]> => {
  const { body } = await server.api.get('/knowledge-base/categories?page_size=100')
  return body.items.map(({ title }: { title: string }) => title)
}
const outcome = (counts: object) => ({
  imported: 0,
  updated: 0,
  unchanged: 0,
  failed: [],
  warnings: [],
  ...counts,
})

test('a file becomes an article with all fields of its front matter', async context => {
  const front =
    'title: Reset a password\nslug: reset\nlocale: en\nstatus: published\ncategory: Account/Passwords\ntags: [login, password]\nexcerpt: How to.\nposition: 3'
  assert.deepEqual(
    await importFiles(context, { 'a.md': page(front, '# Reset a password\n\nChoose *one*.') }),
    {
      ...outcome({ imported: 1 }),
    },
  )
  const { title, category, tags, excerpt, position, content_html } = await read('reset')
  assert.deepEqual(
    [title, category.title, tags, excerpt, position, content_html],
    ['Reset a password', 'Passwords', ['login', 'password'], 'How to.', 3, '<p>Choose <em>one</em>.</p>'],
  )
})

test('importing the same file again changes nothing, and a changed file updates its article', async context => {
  const slug = unique()
  const files = { 'a.md': page(`title: One\nslug: ${slug}\nstatus: published\ncategory: News`) }
  await importFiles(context, files)
  const first = await read(slug)
  assert.deepEqual(await importFiles(context, files), outcome({ unchanged: 1 }))
  assert.deepEqual(await read(slug), first)
  files['a.md'] = files['a.md'].replace('One', 'Two')
  assert.deepEqual(await importFiles(context, files), outcome({ updated: 1 }))
  const second = await read(slug)
  assert.deepEqual([second.id, second.title], [first.id, 'Two'])
})

test('a file without a status is a draft, which the public does not see', async context => {
  const slug = unique()
  await importFiles(context, { [`${slug}.md`]: page('title: Draft') })
  assert.equal((await read(slug)).error_code, 'ARTICLE_NOT_FOUND')
})

test("files with the same slug are translations, and the one in the project's language sets the category", async context => {
  const slug = unique()
  const files = {
    'de.md': page(`title: Konto\nslug: ${slug}\nlocale: de\nstatus: published\ncategory: Konten`),
    'en.md': page(`title: Account\nslug: ${slug}\nlocale: en\nstatus: published\ncategory: Accounts`),
  }
  const report = await importFiles(context, files)
  assert.deepEqual([report.imported, report.updated], [1, 1])
  assert.deepEqual(await importFiles(context, files), outcome({ unchanged: 2 }))
  const german = await read(slug, 'de')
  assert.deepEqual(
    [german.title, german.available_locales, german.category.slug],
    ['Konto', ['de', 'en'], 'accounts'],
  )
})

test('a file of kind category sets the title of a category, in each language', async context => {
  const name = unique()
  await importFiles(context, {
    'c.md': page(`kind: category\ntitle: Billing\nslug: ${name}\nicon: 💳\nposition: 2`, 'All about money.'),
    'c.de.md': page(`kind: category\ntitle: Rechnungen\nslug: ${name}\nlocale: de`, 'Alles über Geld.'),
  })
  const { body } = await server.api.get(`/knowledge-base/categories/${name}?locale=de`)
  const { title, description, icon, position } = body
  assert.deepEqual([title, description, icon, position], ['Rechnungen', 'Alles über Geld.', '💳', 2])
})

test('categories whose names differ only in symbols are different', async context => {
  const names = ['C', 'C++', 'C#', '🔑', '🇩🇪 Team', '🇫🇷 Team', '?!', '...']
  const files = Object.fromEntries(
    names.map((name, at) => [`${at}.md`, page(`title: A\nslug: s${at}-${unique()}\ncategory: ["${name}"]`)]),
  )
  const before = await listTitles()
  assert.deepEqual(await importFiles(context, files), outcome({ imported: names.length }))
  assert.deepEqual(await importFiles(context, files), outcome({ unchanged: names.length }))
  const made = (await listTitles()).filter(title => !before.includes(title))
  assert.deepEqual(made.sort(), names.sort())
})

test('a link to another file leads to its article', async context => {
  const [one, two] = [unique(), unique()]
  await importFiles(context, {
    'a/one.md': page(`title: A\nslug: ${one}\nstatus: published`, 'See [two](../b/two.md#top), [no](no.md).'),
    'b/two.md': page(`title: B\nslug: ${two}`),
  })
  const { content_html } = await read(one)
  assert.match(content_html, new RegExp(`href="${two}#top"`))
  assert.match(content_html, /href="no.md"/)
})

const lost: [string, string, [number, string][]][] = [
  ['to a missing file', 'A [no](no.md).', [[6, 'no.md']]],
  [
    'after line breaks',
    'A\nb  \n[no](no.md#x)\n\n- c\n- [not](../a/not.markdown "N")',
    [
      [8, 'no.md'],
      [11, '../a/not.markdown'],
    ],
  ],
  ['in a table', '| a |\n|---|\n| b |\n| [no](no.md) |', [[9, 'no.md']]],
  ['to a file that is not Markdown', '[manual](gr%C3%B6%C3%9Fe.pdf?x)', [[6, 'größe.pdf']]],
  ['with a control character', '[no](n%1Bo.md)', [[6, 'no.md']]],
  ['with a reference', '[no][n]\n\n[n]: <no such.md>', [[6, 'no such.md']]],
  ['to a file that is refused', '[bad](bad.md)', [[6, 'bad.md']]],
  ['inside code', '`[no](no.md)`\n\n```\n[no](no.md)\n```', []],
  [
    'to what is no file',
    '[a](other-article) [b](#top) [c](?q=a.b) [d](/x.pdf) [e](https://x.io/a.md) <x@y.md> no.md',
    [],
  ],
  ['to a file of the import', '[b](good.md) [c](./good.md#top) [d][]\n\n[d]: good.md', []],
]
for (const [what, content, expected] of lost) {
  test(`a link ${what} is warned of ${expected.length ? 'by file and line' : 'not'}`, async context => {
    const { imported, warnings } = await importFiles(context, {
      'a.md': page(`title: A\nslug: ${unique()}`, content),
      'bad.md': 'bad',
      'good.md': page(`title: Good\nslug: ${unique()}`),
    })
    const told = expected.map(([line, target]) => {
      return { file: 'a.md', line, warning: `leads to ${target}, which is not imported` }
    })
    assert.deepEqual([imported, warnings], [2, told])
  })
}

test('a title that is taken from the text moves no line of a warning', async context => {
  const content = `---\nslug: ${unique()}\n---\n\n# A title\n\n\n[no](no.md)`
  const { warnings } = await importFiles(context, { 'a.md': content })
  assert.equal(warnings[0]?.line, 8)
})

test('a file without front matter is named by its heading', async context => {
  const slug = unique()
  const report = await importFiles(context, { [`${slug}.md`]: '\n# Reset it #\n\nOpen **Settings**.' })
  assert.deepEqual([report.imported, report.failed], [1, []])
  const { title, content_markdown, status } = (
    await server.db`
    select t.draft_title as title, t.draft_markdown as content_markdown, a.status from articles a
    join article_translations t on t.project_id = a.project_id and t.article_id = a.id
    where a.project_id = ${server.acme.id} and a.slug = ${slug}`
  )[0]!
  assert.deepEqual([title, content_markdown, status], ['Reset it', 'Open **Settings**.', 'draft'])
})

test('scripts are removed, and an image beside the file is replaced by its description', async context => {
  const slug = unique()
  const content =
    '<script>alert(1)</script>![A cat](cat.png) <img src="https://x.example/a.png" onerror="x()">'
  await importFiles(context, {
    'a.md': page(`title: A\nslug: ${slug}\nstatus: published`, `Look: ${content}`),
  })
  const { content_html } = await read(slug)
  assert.equal(content_html, '<p>Look: <em>A cat</em> <img src="https://x.example/a.png" /></p>')
})

const broken: [string, string | Buffer, number | null, RegExp][] = [
  ['that is not UTF-8', Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xff, 0xfe]), null, /is not UTF-8/],
  ['whose front matter has no end', '---\ntitle: A\n', 1, /has no end/],
  ['whose front matter is not YAML', page('title: A\ntags: [a'), 3, /is not valid YAML/],
  ['whose front matter contains a name twice', page('title: A\ntitle: B'), 3, /is not valid YAML/],
  ['whose front matter is a list', page('- a'), 2, /name: value/],
  ['with an unknown status', page('title: A\nstatus: live'), 3, /status must be one of draft/],
  ['with a slug in capitals', page('title: A\n\nslug: A B'), 4, /slug must be/],
  ['with an invalid locale', page('locale: "not a language"\ntitle: A'), 2, /locale must be/],
  ['with tags that are not texts', page('title: A\ntags: [{a: 1}]'), 3, /tags must be/],
  ['with an alias', page('title: &a A\nexcerpt: *a'), 3, /stands for another/],
  ['without a title', page('tags: [a]'), 1, /has no title/],
  ['without front matter and heading', 'Hello', 1, /has no title/],
  ['with a NUL', page('title: A', 'a\0b'), 5, /NUL/],
  ['that is too long', page('title: A', 'a'.repeat(140_000)), null, /is longer than/],
  ['that is much too long', page('title: A', 'a'.repeat(900_000)), null, /is larger than/],
  ['that is empty', '', 1, /has no title/],
]

for (const [what, content, line, error] of broken) {
  test(`a file ${what} is reported, and the others are imported`, async context => {
    const slug = unique()
    const good = page(`title: Good\nslug: ${slug}\nstatus: published`)
    const report = await importFiles(context, { 'bad.md': content, 'good.md': good })
    assert.deepEqual([report.imported, report.failed.length], [1, 1])
    assert.deepEqual([report.failed[0]!.file, report.failed[0]!.line], ['bad.md', line])
    assert.match(report.failed[0]!.error, error)
    assert.equal((await read(slug)).title, 'Good')
  })
}

test('the second of two files with the same slug and locale is refused', async context => {
  const front = `title: A\nslug: ${unique()}`
  const { imported, failed } = await importFiles(context, { 'a.md': page(front), 'b.md': page(front) })
  assert.deepEqual([imported, failed.map(({ file }) => file)], [1, ['b.md']])
  assert.match(failed[0]!.error, /of a\.md/)
})

test('symbolic links are not followed', async context => {
  const folder = folderOf(context, { 'a.md': page(`title: A\nslug: ${unique()}`) })
  symlinkSync('/etc/hostname', join(folder, 'b.md'))
  symlinkSync('/etc', join(folder, 'c'))
  const { imported, failed } = await importArticles(server.db, server.acme.id, folder)
  assert.deepEqual([imported, failed.map(({ file }) => file)], [1, ['b.md', 'c']])
})

test('a .zip is read like a folder', async context => {
  const report = await importZip(context, [
    { name: 'docs/a.md', content: page(`title: A\nslug: ${unique()}`) },
    { name: 'docs/a.png', content: 'not an image' },
    { name: '__MACOSX/docs/._a.md', content: 'x' },
    { name: 'docs/b.md', content: '/etc/passwd', claims: { mode: 0o120777 } },
  ])
  assert.deepEqual([report.imported, report.failed.map(({ file }) => file)], [1, ['docs/b.md']])
})

const refused: [string, ZipEntry[]][] = [
  ['with a name outside of it', [{ name: '../a.md', content: page('title: A') }]],
  ['with an absolute name', [{ name: '/a.md', content: page('title: A') }]],
  [
    'that unpacks to more than it declares',
    [{ name: 'a.md', content: 'a'.repeat(1e6), claims: { size: 10 } }],
  ],
  ['without a Markdown file', [{ name: 'a.txt', content: 'a' }]],
  ['without a file', []],
]

for (const [what, entries] of refused) {
  test(`a .zip ${what} is refused completely`, async context => {
    const slug = unique()
    const good = { name: 'good.md', content: page(`title: Good\nslug: ${slug}\nstatus: published`) }
    const isEmpty = entries.every(({ name }) => !name.endsWith('.md'))
    await assert.rejects(importZip(context, isEmpty ? entries : [good, ...entries]), NoSources)
    assert.equal((await read(slug)).error_code, 'ARTICLE_NOT_FOUND')
  })
}

test('a folder without Markdown, an invalid .zip and a missing path are refused', async context => {
  const folder = folderOf(context, { 'a.txt': 'a', 'b.zip': 'PK no zip' })
  for (const path of [folder, join(folder, 'b.zip'), join(folder, 'none')])
    await assert.rejects(importArticles(server.db, server.acme.id, path), NoSources)
})
