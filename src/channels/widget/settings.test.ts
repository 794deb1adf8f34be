import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answer, assertEnvelope, assertProblems } from '../../../test/client.ts'
import type { Desk } from '../../../test/desk.ts'
import { openDesk } from '../../../test/desk.ts'
import { leaveWithoutKnowledge, makeArticle } from '../../../test/knowledge.ts'
import type { TestServer } from '../../../test/server.ts'
import { atWidget, originOf, sign, startChat, switchOn } from '../../../test/widget.ts'

let server: TestServer
let desk: Desk
before(async () => {
  server = await startChat()
  desk = await openDesk(server)
})
after(() => server.close())

const change = async (body: object): Promise<Answer> => {
  const answer = await desk.admin.patch('/widget', body)
  assert.equal(answer.status, 200, answer.text)
  return answer
}

const config = async (locale = 'en') => {
  const answer = await atWidget(server, server.acme).get(`/config?locale=${locale}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

test('a new widget is off and accepts only signed identities', async () => {
  const { body } = await desk.admin.get('/widget')
  assert.deepEqual(
    [body.is_on, body.requires_signature, body.has_secret, body.version],
    [false, true, false, 1],
  )
  assert.equal(body.page_url, `http://localhost/chat/${server.acme.id}`)
  assertEnvelope(await atWidget(server, server.acme).get('/config'), 403, 'WIDGET_OFF')
  await change({ is_on: true })
  assert.equal((await config()).name, 'Acme')
})

test('of two concurrent saves the second is refused, and each change is in the audit log', async () => {
  const { version } = (await desk.admin.get('/widget')).body
  const save = (color: string) =>
    desk.admin.patch('/widget', { color }, { headers: { 'if-match': `"${version}"` } })
  assert.equal((await save('#112233')).status, 200)
  assertEnvelope(await save('#445566'), 412, 'SETTINGS_CHANGED')
  assert.equal((await config()).color, '#112233')
  const { items } = (await desk.admin.get('/audit?action=widget')).body
  assert.equal(items[0].action, 'widget.changed')
})

test('the secret is shown only once, and a new one replaces it at once', async () => {
  const make = async () => (await desk.admin.post('/widget/secret')).body.secret
  const [first, second] = [await make(), await make()]
  assert.match(first, /^ws_[\w-]{43}$/)
  const user = { id: 'vera' }
  const identify = (signature: string) => atWidget(server, server.acme).post('/identify', { user, signature })
  assert.equal((await identify(sign(user, first))).status, 403)
  assert.equal((await identify(sign(user, second))).status, 200)
  const { text, body } = await desk.admin.get('/widget')
  assert.ok(body.has_secret && !text.includes(second))
  assert.ok(!(await desk.admin.get('/audit')).text.includes(second))
})

test("texts are sent in the visitor's language or the closest one available", async () => {
  const texts = { en: { title: 'Hello' }, 'pt-br': { title: 'Olá' } }
  const prechat_fields = [
    { key: 'name', type: 'text', labels: { en: 'Name', 'pt-BR': 'Nome' }, is_required: true },
  ]
  await change({ texts, prechat_fields })
  const shown = async (locale: string) => {
    const { locale: found, texts, prechat_fields } = await config(locale)
    return [found, texts.title, prechat_fields[0].label]
  }
  assert.deepEqual(await shown('pt'), ['pt-BR', 'Olá', 'Nome'])
  assert.deepEqual(await shown('ja'), ['en', 'Hello', 'Name'])
})

test('refuses invalid settings', async () => {
  const refused = async (body: object, reason: string) =>
    assertEnvelope(await desk.admin.patch('/widget', body), 422, 'VALIDATION_ERROR', { reason })
  await refused({ texts: { 'no language': {} } }, 'not_a_language_tag')
  await refused({ hours: { timezone: 'Mars/Olympus', days: [] } }, 'not_a_timezone')
  const field = { key: 'name', type: 'text', labels: {}, is_required: false }
  await refused({ prechat_fields: [field, field] }, 'same_key')
  assertProblems(await desk.admin.patch('/widget', { color: 'red' }), 'body.color')
  const days = [{ day: 1, from: '09:00', to: '09:00' }]
  await refused({ hours: { timezone: 'UTC', days } }, 'no_time_between')
  for (const domain of ["x'; script-src *", 'mailto:a@b.example', 'a b', '*', 'https://'])
    assertEnvelope(
      await desk.admin.patch('/widget', { allowed_domains: ['a.example', domain] }),
      422,
      'VALIDATION_ERROR',
      { field: 'allowed_domains.1', reason: 'not_a_domain' },
    )
})

test('stores only the host of a pasted page URL, in the spelling of browsers', async () => {
  const sent = [
    'https://Shop.example/cart?a=1#b',
    'http://localhost:8080/',
    '*.bücher.example',
    ' shop.test ',
  ]
  const { body } = await change({ allowed_domains: sent })
  const kept = ['shop.example', 'localhost:8080', '*.xn--bcher-kva.example', 'shop.test']
  assert.deepEqual(body.allowed_domains, kept)
  await change({ allowed_domains: [] })
})

test('accepts hours that continue over midnight', async () => {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', hour: '2-digit', minute: '2-digit' })
  const from = clock.format(Date.now() - 60 * 60_000)
  const to = clock.format(Date.now() - 2 * 60 * 60_000)
  await change({ hours: { timezone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7].map(day => ({ day, from, to })) } })
  assert.equal((await config()).hours.is_open, true)
  await change({ hours: null })
})

test('the configuration says whether the chat is open and when it opens next', async () => {
  const all = [1, 2, 3, 4, 5, 6, 7].map(day => ({ day, from: '00:00', to: '24:00' }))
  await change({ hours: { timezone: 'Europe/Berlin', days: all } })
  assert.deepEqual((await config()).hours, { is_open: true, opens_at: null, timezone: 'Europe/Berlin' })
  await change({ hours: { timezone: 'Europe/Berlin', days: [] } })
  assert.deepEqual((await config()).hours, { is_open: false, opens_at: null, timezone: 'Europe/Berlin' })
  await change({ hours: null })
})

test('answers 304 if the configuration has not changed', async () => {
  const read = (headers = {}) => atWidget(server, server.acme).get('/config', { headers })
  const etag = (await read()).headers.get('etag')!
  assert.equal((await read({ 'if-none-match': etag })).status, 304)
  await change({ position: 'left' })
  assert.equal((await read({ 'if-none-match': etag })).status, 200)
})

test('allowed sites may embed the widget, and no site may embed the chat page', async () => {
  const policyOf = async (path: string) =>
    (await fetch(`${originOf(server)}${path}/${server.acme.id}`)).headers.get('content-security-policy')!
  assert.match(await policyOf('/widget/frame'), /frame-ancestors \*;/)
  await change({ allowed_domains: ['shop.example', '*.acme.example', 'localhost:8080'] })
  assert.match(
    await policyOf('/widget/frame'),
    /frame-ancestors 'self' https:\/\/shop\.example http:\/\/shop\.example https:\/\/\*\.acme\.example /,
  )
  assert.match(await policyOf('/chat'), /default-src 'none'; script-src 'self';.*frame-ancestors 'none'/)
})

test('articles can be searched and read without a token if the plan and the widget include them', async () => {
  await switchOn(server, server.rival)
  const { id } = await makeArticle(server.db, server.rival, { title: 'Reset your password' })
  const api = atWidget(server, server.rival)
  const { body } = await api.get('/articles?q=password&locale=de')
  assert.deepEqual([body.items.length, body.items[0].id], [1, id])
  assert.match((await api.get(`/articles/${id}`)).body.content_html, /<em>settings<\/em>/)
  assertEnvelope(await atWidget(server, server.acme).get(`/articles/${id}`), 404, 'ARTICLE_NOT_FOUND')
  await switchOn(server, server.rival, { shows_knowledge: false })
  assertEnvelope(await api.get('/articles'), 404, 'FEATURE_OFF')
  await leaveWithoutKnowledge(server.db, server.rival)
  assertEnvelope(await api.get('/articles'), 403, 'PLAN_FEATURE_UNAVAILABLE')
  assert.equal((await api.get('/config')).body.features.knowledge, false)
})
