import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Member, unique } from '../../test/cast.ts'
import { leaveWithoutKnowledge, makeArticle } from '../../test/knowledge.ts'
import { assertPage, startVisit } from '../../test/visitor.ts'
import { archiveArticle, putArticle } from '../knowledge/knowledge.ts'
import { createProject, resumeProject, suspendProject } from '../projects/projects.ts'

const { server, visitor } = await startVisit()
after(() => server.close())

const everywhere = (slug: string, word: string) => [
  '/help/acme/en',
  '/help/acme/en/articles',
  `/help/acme/en/search?q=${word}`,
  '/help/acme/en/sitemap.xml',
  `/help/acme/en/articles/${slug}`,
]

async function assertHidden(word: string, slug: string, id: string): Promise<void> {
  assertPage(await visitor.get(`/help/acme/en/articles/${slug}`), 404)
  assertPage(await visitor.get(`/help/acme/en/articles/${id}`), 404)
  for (const path of everywhere(slug, word)) {
    const { text } = await visitor.get(path)
    assert.doesNotMatch(
      text.replaceAll(/search results.*?<\/h1>|value="[^"]*"|<title>.*?<\/title>|og:title.*/gi, ''),
      new RegExp(word),
      path,
    )
  }
}

for (const [what, fields] of [
  ['a draft', { status: 'draft' as const }],
  ['an archived article', { status: 'archived' as const }],
  ['an internal article', { is_internal: true }],
] as const) {
  test(`${what} appears on no page`, async () => {
    const word = unique()
    const { id, slug } = await makeArticle(server.db, server.acme, { ...fields, title: word, markdown: word })
    await assertHidden(word, slug, id)
  })
}

test('an archived article is gone with the next request, even for browsers with a cached copy', async () => {
  const { id, slug } = await makeArticle(server.db, server.acme)
  const path = `/help/acme/en/articles/${slug}`
  const tag = (await visitor.get(path)).headers.get('etag')!
  await archiveArticle(server.db, id)
  assertPage(await visitor.get(path, { headers: { 'if-none-match': tag } }), 404)
})

test('a draft of a published article is not shown before it is published', async () => {
  const [old, draft] = [unique(), unique()]
  const { slug } = await makeArticle(server.db, server.acme, { title: old, markdown: old })
  await putArticle(server.db, server.acme.id, {
    slug,
    locale: 'en',
    title: draft,
    markdown: draft,
    status: 'draft',
  })
  const { text } = await visitor.get(`/help/acme/en/articles/${slug}`)
  assert.match(text, new RegExp(old))
  assert.doesNotMatch(text, new RegExp(draft))
})

test("a project's help centre shows nothing of another project", async () => {
  const word = unique()
  const { id, slug } = await makeArticle(server.db, server.rival, { title: word, markdown: word })
  assertPage(await visitor.get(`/help/rival/en/articles/${slug}`), 200)
  await assertHidden(word, slug, id)
})

async function found(name: string): Promise<Member & { slug: string }> {
  const project = await createProject(server.db, { name })
  await makeArticle(server.db, project as unknown as Member, { slug: 'hello' })
  return project as unknown as Member & { slug: string }
}

const pages = [
  '',
  '/en',
  '/en/articles',
  '/en/articles/hello',
  '/en/search?q=hello',
  '/sitemap.xml',
  '/en/sitemap.xml',
]

async function assertGone(slug: string): Promise<void> {
  for (const path of pages) {
    const answer = await visitor.get(`/help/${slug}${path}`)
    assertPage(answer, 404)
    assert.match(answer.text, /Page not found/)
    assert.match(answer.text, /noindex/)
  }
}

test('there is no help centre for an unknown project', () => assertGone('nobody'))

test('there is no help centre on a plan without a knowledge base', async () => {
  const project = await found(unique())
  await leaveWithoutKnowledge(server.db, project)
  await assertGone(project.slug)
})

test('there is no help centre while the project is suspended', async () => {
  const project = await found(unique())
  await suspendProject(server.db, project.id)
  await assertGone(project.slug)
  await resumeProject(server.db, project.id)
  assertPage(await visitor.get(`/help/${project.slug}/en`), 200)
})

test('there is no help centre if it is switched off', async () => {
  const project = await found(unique())
  await server.db`update projects set has_help_centre = false where id = ${project.id}`
  await assertGone(project.slug)
})

test('a help centre without articles says that it is empty', async () => {
  const { slug } = await createProject(server.db, { name: unique() })
  const answer = await visitor.get(`/help/${slug}/en`)
  assertPage(answer, 200)
  assert.match(answer.text, /No articles yet/)
})
