import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { nobody } from '../../../test/cast.ts'
import { assertEnvelope, assertProblems } from '../../../test/client.ts'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { makeArticle } from '../../../test/knowledge.ts'
import type { TestServer } from '../../../test/server.ts'
import { atWidget, begin, originOf, startChat } from '../../../test/widget.ts'
import { newId } from '../../core/ids.ts'

let server: TestServer
let desk: Desk
before(async () => {
  server = await startChat()
  desk = await openDesk(server)
})
after(() => server.close())

const change = async (body: object): Promise<void> => {
  const answer = await desk.admin.patch('/widget', { is_on: true, ...body })
  assert.equal(answer.status, 200, answer.text)
}

const rule = (more: object = {}) => ({
  id: newId(),
  match: 'begins_with',
  address: '/pricing',
  after_seconds: 5,
  repeat_after_days: 7,
  texts: { en: 'Which plan fits?', de: 'Welcher Tarif passt?' },
  operator_id: null,
  ...more,
})

test('a page shows the articles that an admin has chosen for it, and then the most popular ones', async () => {
  const { db, acme, rival } = server
  const [one, two, popular, foreign] = await Promise.all([
    makeArticle(db, acme, { title: 'One' }),
    makeArticle(db, acme, { title: 'Two' }),
    makeArticle(db, acme, { title: 'Popular' }),
    makeArticle(db, rival, { title: 'Foreign' }),
  ])
  await db`update article_counts set views_count = 9 where article_id = ${popular.id}`
  const ids = [two.id, foreign.id, nobody, 'not an id']
  await change({ page_articles: [{ match: 'contains', address: '/cart', article_ids: ids }] })
  const { page_articles } = (await desk.admin.get('/widget')).body
  assert.deepEqual(page_articles[0].article_ids, [two.id])
  const titles = async (query: string) =>
    (await atWidget(server, acme).get(`/articles?locale=en&${query}`)).body.items.map(
      (article: { title: string }) => article.title,
    )
  const cart = encodeURIComponent('https://shop.example/cart?x=1')
  assert.deepEqual(await titles(`page_size=2&page_url=${cart}`), ['Two', 'Popular'])
  assert.deepEqual((await titles('page_size=2&page_url=https://shop.example/'))[0], 'Popular')
  await desk.admin.post(`/knowledge/articles/${two.id}/unpublish`)
  assert.deepEqual((await titles(`page_url=${cart}`)).sort(), ['One', 'Popular'])
  assert.equal(one.title, 'One')
})

test('a proactive message has a text in the visitor’s language and the name of an operator or the project', async () => {
  const { db, acme } = server
  const [{ id: operatorId }] = await db<[{ id: string }]>`
    select id from operators where project_id = ${acme.id} and name = 'admin'`
  await change({
    proactive_messages: [rule(), rule({ operator_id: operatorId }), rule({ operator_id: nobody })],
  })
  const { body } = await atWidget(server, acme).get('/config?locale=de-AT')
  assert.deepEqual(
    body.proactive_messages.map((one: { text: string; sender: { name: string } }) => [
      one.text,
      one.sender.name,
    ]),
    [
      ['Welcher Tarif passt?', 'Acme'],
      ['Welcher Tarif passt?', 'admin'],
      ['Welcher Tarif passt?', 'Acme'],
    ],
  )
  assert.equal('texts' in body.proactive_messages[0], false)
  const look = await fetch(`${originOf(server)}/widget/look/${acme.id}?locale=en`)
  assert.match(await look.text(), /Which plan fits\?/)
  const rival = await fetch(`${originOf(server)}/widget/look/${server.rival.id}?locale=en`)
  assert.doesNotMatch(await rival.text(), /Which plan/)
})

test('outside office hours there are no proactive messages', async () => {
  const { acme } = server
  await change({ proactive_messages: [rule()], hours: { timezone: 'UTC', days: [] } })
  assert.deepEqual((await atWidget(server, acme).get('/config')).body.proactive_messages, [])
  await change({ hours: null })
  assert.equal((await atWidget(server, acme).get('/config')).body.proactive_messages.length, 1)
})

test('each invalid value of a rule is reported with its field', async () => {
  const wrong = rule({ address: ' ', after_seconds: -1, repeat_after_days: 0, texts: {} })
  assertProblems(
    await desk.admin.patch('/widget', { proactive_messages: [wrong] }),
    ...['address', 'after_seconds', 'repeat_after_days', 'texts'].map(
      name => `body.proactive_messages.0.${name}`,
    ),
  )
  const language = await desk.admin.patch('/widget', { proactive_messages: [rule({ texts: { '?': 'x' } })] })
  assertEnvelope(language, 422, 'VALIDATION_ERROR', {
    field: 'proactive_messages',
    reason: 'not_a_language_tag',
  })
})

test('operators see the page, the article and the message that a visitor saw before writing', async () => {
  const { db, acme, rival } = server
  const message = rule()
  await change({ proactive_messages: [message] })
  const article = await makeArticle(db, acme, { title: 'Refunds' })
  const guest = await begin(server, acme, { locale: 'en' })
  const ask = async (more: object) =>
    (await guest.api.post('/tickets', { content: 'Hello', ...more })).body.id
  const read = async (id: string) => (await desk.operator.get(`/tickets/${id}/chat-start`)).body
  const page_url = 'https://shop.example/pricing'
  const id = await ask({ page_url, article_id: article.id, proactive_id: message.id })
  const wanted = { id: article.id, locale: 'en', title: 'Refunds' }
  assert.deepEqual(await read(id), { page_url, article: wanted, proactive_text: 'Which plan fits?' })
  const foreign = await makeArticle(db, rival)
  assert.deepEqual(await read(await ask({ article_id: foreign.id, proactive_id: newId() })), {
    page_url: null,
    article: null,
    proactive_text: null,
  })
  assertEnvelope(await desk.stranger.get(`/tickets/${id}/chat-start`), 404, 'TICKET_NOT_FOUND')
})
