import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeTicket } from '../../test/cast.ts'
import { assertEnvelope } from '../../test/client.ts'
import { type Desk, openDesk } from '../../test/desk.ts'
import { leaveWithoutKnowledge } from '../../test/knowledge.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { formOf, formType, png, upload } from '../../test/upload.ts'
import { deleteExpiredMedia } from '../media/media.ts'

let server: TestServer
let desk: Desk
before(async () => {
  server = await startServer({ delivers: false })
  desk = await openDesk(server)
})
after(() => server.close())

const send = (client = desk.admin, content: string | Uint8Array = png(40, 30)) =>
  client.post('/knowledge/pictures', undefined, {
    raw: formOf({ filename: 'a.png', content }),
    headers: formType,
  })
const show = (url: string) => fetch(new URL(url, server.url))
const statusOf = async (url: string): Promise<number> => (await show(url)).status

const at = (id: string, rest = '') => `/knowledge/articles/${id}${rest}`
const begin = async (markdown: string) =>
  (await desk.admin.post('/knowledge/articles', { title: 'Bells', markdown })).body.id
const write = (id: string, markdown: string, locale = 'en') =>
  desk.admin.patch(at(id, `/translations/${locale}`), { title: 'Bells', markdown })

const expiryOf = async (url: string): Promise<boolean | undefined> => {
  const [row] = await server.db<{ expires: boolean }[]>`
    select expires_at is not null as expires from media where id = ${url.split('/').at(-1)!}`
  return row?.expires
}

test('the public sees a picture only while a published text contains it', async () => {
  const { url } = (await send()).body
  const id = await begin(`![A bell](${url})`)
  assert.equal(await statusOf(url), 404)
  await desk.admin.post(at(id, '/publish'))
  const shown = await show(url)
  assert.deepEqual(
    ['content-type', 'cache-control'].map(name => shown.headers.get(name)),
    ['image/png', 'public, max-age=300'],
  )
  const again = await fetch(new URL(url, server.url), {
    headers: { 'if-none-match': shown.headers.get('etag')! },
  })
  assert.equal(again.status, 304)
  for (const verb of ['/unpublish', '/archive']) {
    await desk.admin.post(at(id, verb))
    assert.equal(await statusOf(url), 404, verb)
    await desk.admin.post(at(id, '/publish'))
  }
  await desk.admin.patch(at(id), { is_internal: true })
  assert.equal(await statusOf(url), 404)
})

test('a picture that is removed from a draft stays public until the draft is published', async () => {
  const { url } = (await send()).body
  const id = await begin(`![A bell](${url})`)
  await desk.admin.post(at(id, '/publish'))
  await write(id, 'No bell')
  assert.deepEqual([await statusOf(url), await expiryOf(url)], [200, false])
  await desk.admin.post(at(id, '/publish'))
  assert.deepEqual([await statusOf(url), await expiryOf(url)], [404, true])
  await write(id, `![Back](${url})`)
  assert.equal(await expiryOf(url), false)
})

test('a picture is deleted a day after the last article that contains it', async () => {
  const { url } = (await send()).body
  const [one, other] = [await begin(`![One](${url})`), await begin(`![Two](${url})`)]
  await write(one, `![Drei](${url})`, 'de')
  await desk.admin.delete(at(one, '/translations/en'))
  await desk.admin.delete(at(one))
  assert.equal(await expiryOf(url), false)
  await desk.admin.delete(at(other))
  assert.equal(await expiryOf(url), true)
  await server.db`update media set expires_at = now() where id = ${url.split('/').at(-1)!}`
  await deleteExpiredMedia(server.db)
  assert.equal(await expiryOf(url), undefined)
})

test('pictures have their width and height, and for programs an absolute address', async () => {
  const { url, width, height } = (await send()).body
  assert.deepEqual([width, height], [40, 30])
  const code = '`<img src="/api/media/x">`'
  const markdown = `![A bell](${url})\n\n${code}`
  const image = `<p><img width="40" height="30" src="${url}" alt="A bell" /></p>`
  const wanted = `${image}\n<p><code>&lt;img src="/api/media/x"&gt;</code></p>`
  const id = await begin(markdown)
  await desk.admin.post(at(id, '/publish'))
  assert.equal((await desk.admin.post('/knowledge/preview', { markdown })).body.html, wanted)
  const absolute = wanted.replace('/api/media', `${server.config.publicUrl.replace(/\/$/, '')}/api/media`)
  assert.equal((await server.api.get(`/knowledge-base/articles/${id}`)).body.content_html, absolute)
})

test('articles make public only pictures that were uploaded for articles of the project', async () => {
  const [file, free, foreign] = await Promise.all([
    upload(server.api, { filename: 'a.png', content: png(8, 8) }),
    upload(server.api, { filename: 'a.png', content: png(8, 8) }),
    upload(server.outsider, { filename: 'a.png', content: png(8, 8) }),
  ])
  const { id: ticketId } = await makeTicket(server.api)
  const note = { content: 'See', is_internal: true, media_ids: [file.body.id] }
  assert.equal((await desk.operator.post(`/tickets/${ticketId}/messages`, note)).status, 201)
  const urls = [file, free, foreign].map(({ body }) => `/api/media/${body.id}`)
  const id = await begin(urls.map(url => `![x](${url})`).join('\n'))
  await desk.admin.post(at(id, '/publish'))
  assert.deepEqual(await Promise.all(urls.map(statusOf)), [404, 404, 404])
})

test('a picture that was uploaded for articles cannot be attached to a message', async () => {
  const { id } = (await send()).body
  const ticket = await makeTicket(server.api)
  const answer = await desk.operator.post(`/tickets/${ticket.id}/messages`, { content: 'x', media_ids: [id] })
  assert.equal(answer.status, 422)
})

test('only admins upload pictures, and only those that browsers display', async () => {
  assertEnvelope(await send(desk.operator), 403, 'ROLE_REQUIRED')
  const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  assertEnvelope(await send(desk.admin, script), 422, 'VALIDATION_ERROR', { reason: 'not_a_picture' })
  const large = Buffer.concat([png(8, 8), Buffer.alloc(10 * 1024 * 1024)])
  assertEnvelope(await send(desk.admin, large), 413, 'MEDIA_TOO_LARGE', { max_bytes: 10 * 1024 * 1024 })
  const { url } = (await send()).body
  assert.equal((await desk.stranger.get(`/media/${url.split('/').at(-1)!}`)).status, 404)
  assert.equal((await desk.admin.get(`/media/${url.split('/').at(-1)!}`)).status, 200)
  await leaveWithoutKnowledge(server.db, server.acme)
  assertEnvelope(await send(), 403, 'PLAN_FEATURE_UNAVAILABLE')
})
