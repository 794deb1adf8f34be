import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { nobody, unique } from '../../test/cast.ts'
import { assertEnvelope, assertProblems } from '../../test/client.ts'
import { type Desk, openDesk } from '../../test/desk.ts'
import { leaveWithoutKnowledge } from '../../test/knowledge.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { formOf, formType } from '../../test/upload.ts'
import { makeZip } from '../../test/zip.ts'
import { putArticle } from './write.ts'

let server: TestServer
let desk: Desk
before(async () => {
  server = await startServer({ delivers: false })
  desk = await openDesk(server)
})
after(() => server.close())

const begin = async (title = `How ${unique()}`, more = {}) =>
  (await desk.admin.post('/knowledge/articles', { title, ...more })).body
const at = (id: string, rest = '') => `/knowledge/articles/${id}${rest}`
const write = (id: string, markdown: string, locale = 'en', headers = {}) =>
  desk.admin.patch(at(id, `/translations/${locale}`), { title: 'Title', markdown }, { headers })
const read = (id: string) => server.api.get(`/knowledge-base/articles/${id}`)

test('an article is drafted, published, edited as a draft, published again, unpublished and deleted', async () => {
  const { id, slug, status } = await begin('How to pay')
  assert.deepEqual([slug, status], ['how-to-pay', 'draft'])
  await write(id, 'One')
  assertEnvelope(await read(id), 404, 'ARTICLE_NOT_FOUND')
  assert.equal((await desk.admin.post(at(id, '/publish'))).body.status, 'published')
  assert.equal((await read(id)).body.content_text, 'One')
  const drafted = (await write(id, 'Two')).body
  assert.equal(drafted.translations[0].has_changes, true)
  assert.equal((await read(id)).body.content_text, 'One')
  await desk.admin.post(at(id, '/publish'))
  assert.equal((await read(id)).body.content_text, 'Two')
  for (const verb of ['/unpublish', '/archive']) {
    await desk.admin.post(at(id, verb))
    assertEnvelope(await read(id), 404, 'ARTICLE_NOT_FOUND')
    await desk.admin.post(at(id, '/publish'))
    assert.equal((await read(id)).status, 200)
  }
  assert.equal((await desk.admin.delete(at(id))).status, 204)
  assertEnvelope(await desk.admin.get(at(id)), 404, 'ARTICLE_NOT_FOUND')
  const { items } = (await desk.admin.get(`/audit?target_id=${id}&page_size=100`)).body
  assert.deepEqual([items.at(-1).action, items[0].action], ['article.created', 'article.deleted'])
})

test('translations are written and deleted one by one; the last one cannot be deleted', async () => {
  const { id } = await begin()
  await write(id, 'Hallo', 'de')
  const { body } = await desk.admin.delete(at(id, '/translations/en'))
  assert.deepEqual(
    body.translations.map((one: { locale: string }) => one.locale),
    ['de'],
  )
  const last = await desk.admin.delete(at(id, '/translations/de'))
  assertEnvelope(last, 422, 'VALIDATION_ERROR', { reason: 'last_translation' })
  assertEnvelope(await write(id, 'x', 'no language'), 422, 'VALIDATION_ERROR', { field: 'locale' })
})

test('the second of two concurrent edits is refused with the text of the first', async () => {
  const { id, version } = await begin()
  const headers = { 'if-match': `"${version}"` }
  const first = await write(id, 'Mine', 'en', headers)
  assertEnvelope(await write(id, 'Yours', 'en', headers), 412, 'SETTINGS_CHANGED', { current: first.body })
})

test('an edit is refused if an import has changed the article since it was read', async () => {
  const { id, slug, version } = await begin()
  await putArticle(server.db, server.acme.id, { slug, locale: 'en', title: 'T', markdown: 'Imported' })
  const late = await write(id, 'Mine', 'en', { 'if-match': `"${version}"` })
  assertEnvelope(late, 412, 'SETTINGS_CHANGED')
  assert.equal(late.body.detail.current.translations[0].markdown, 'Imported')
})

test('slugs are unique, and a text may have the maximum length of an article', async () => {
  const [one, other] = [await begin('Same'), await begin('Same')]
  assert.deepEqual([one.slug, other.slug], ['same', 'same-2'])
  const taken = await desk.admin.patch(at(other.id), { slug: 'Same' })
  assertEnvelope(taken, 422, 'VALIDATION_ERROR', { field: 'slug', reason: 'slug_taken' })
  const changed = await desk.admin.patch(at(other.id), { slug: 'Other one', tags: ['x'], position: 3 })
  assert.partialDeepStrictEqual(changed.body, { slug: 'other-one', tags: ['x'], position: 3 })
  assertProblems(await write(one.id, 'x'.repeat(131_073)), 'body.markdown:string_too_long')
  assert.equal((await write(one.id, 'x'.repeat(131_072))).status, 200)
})

test('the preview renders the text as the help centre does, without scripts', async () => {
  const markdown = '# Hi\n<script>alert(1)</script>[a](javascript:alert(1))'
  const { html } = (await desk.admin.post('/knowledge/preview', { markdown })).body
  assert.ok(
    html.includes('<h1 id="hi">Hi</h1>') && !/script/i.test(html.replace('javascript:alert(1)', '')),
    html,
  )
})

test('categories form a tree; they can be renamed, moved and ordered, and deleted if empty', async () => {
  const make = async (title: string, parent_id: string | null = null) =>
    (await desk.admin.post('/knowledge/categories', { title, parent_id })).body
  const path = (id: string) => `/knowledge/categories/${id}`
  const top = await make('Billing')
  const below = await make('Invoices', top.id)
  assert.equal(below.parent_id, top.id)
  assertEnvelope(await desk.admin.post('/knowledge/categories', { title: 'Billing' }), 409, 'NOT_POSSIBLE', {
    reason: 'category_exists',
  })
  const ring = await desk.admin.patch(path(top.id), { parent_id: below.id })
  assertEnvelope(ring, 422, 'VALIDATION_ERROR', { field: 'parent_id', reason: 'same' })
  const renamed = await desk.admin.patch(path(below.id), { title: 'Rechnungen', locale: 'de', icon: '💶' })
  assert.deepEqual(
    renamed.body.translations.map((one: { title: string }) => one.title),
    ['Rechnungen', 'Invoices'],
  )
  const { id } = await begin('In it', { category_id: below.id })
  assertEnvelope(await desk.admin.delete(path(below.id)), 409, 'NOT_POSSIBLE', {
    reason: 'category_not_empty',
  })
  const last = await make('Last')
  await desk.admin.post('/knowledge/order', { categories: [last.id, top.id], articles: [id] })
  const { items } = (await desk.operator.get('/knowledge/categories')).body
  const order = items.map((one: { id: string }) => one.id)
  assert.ok(order.indexOf(last.id) < order.indexOf(top.id))
  await desk.admin.patch(at(id), { category_id: null })
  assert.equal((await desk.admin.delete(path(below.id))).status, 204)
})

const page = (title: string) => `---\ntitle: ${title}\n---\nText`

const send = (filename: string, content: string | Uint8Array) =>
  desk.admin.post('/knowledge/import', undefined, { raw: formOf({ filename, content }), headers: formType })

test('a .zip and a Markdown file are imported as drafts, invalid files are named, and a broken .zip is refused', async () => {
  const [one, two] = [unique(), unique()]
  const zip = makeZip([
    { name: `faq/${one}.md`, content: page('First') },
    { name: 'faq/bad.md', content: '---\nslug: [\n---\n' },
  ])
  const { body } = await send('articles.zip', zip)
  assert.partialDeepStrictEqual(body, { imported: 1, failed: [{ file: 'faq/bad.md' }] })
  assert.equal((await send(`${two}.md`, page('Second'))).body.imported, 1)
  const { items } = (await desk.operator.get('/knowledge/articles')).body
  for (const slug of [one, two])
    assert.equal(items.find((it: { slug: string }) => it.slug === slug).status, 'draft')
  const refused = await send('a.zip', 'no zip')
  assertEnvelope(refused, 409, 'NOT_POSSIBLE', { reason: 'not_a_zip' })
  assert.match(refused.body.detail.message, /^The file is not a readable \.zip file/)
})

test('a plain Markdown file is imported, and its broken links are reported', async () => {
  const name = `${unique()}.md`
  const { body } = await send(name, '# Plain\n\nSee [that](nowhere.md).\n')
  const warning = 'leads to nowhere.md, which is not imported'
  assert.deepEqual([body.imported, body.failed], [1, []])
  assert.partialDeepStrictEqual(body.warnings, [{ line: 3, warning }])
})

test('operators can read drafts but not change them; Rival sees nothing; a plan without the feature gets 403', async () => {
  const { id } = await begin()
  assert.equal((await desk.operator.get(at(id))).status, 200)
  for (const answer of [
    await desk.operator.post('/knowledge/articles', { title: 'x' }),
    await desk.operator.patch(at(id), { position: 1 }),
    await desk.operator.post(at(id, '/publish')),
    await desk.operator.delete(at(id)),
    await desk.operator.post('/knowledge/categories', { title: 'x' }),
  ])
    assertEnvelope(answer, 403, 'ROLE_REQUIRED', { role: 'admin' })
  for (const unknown of [id, nobody, 'x']) {
    assertEnvelope(await desk.stranger.get(at(unknown)), 404, 'ARTICLE_NOT_FOUND')
    assertEnvelope(await desk.stranger.post(at(unknown, '/publish')), 404, 'ARTICLE_NOT_FOUND')
    assertEnvelope(await desk.stranger.delete(at(unknown)), 404, 'ARTICLE_NOT_FOUND')
  }
  assert.deepEqual((await desk.stranger.get('/knowledge/articles')).body.items, [])
  await leaveWithoutKnowledge(server.db, server.rival)
  assertEnvelope(await desk.stranger.get(at(id)), 403, 'PLAN_FEATURE_UNAVAILABLE')
})
