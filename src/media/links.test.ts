import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventsOf, makeMessage, makeTicket } from '../../test/cast.ts'
import { type Answer, assertBrief, createClient } from '../../test/client.ts'
import { startServer } from '../../test/server.ts'
import { makePicture, makeUpload } from '../../test/upload.ts'
import { newId } from '../core/ids.ts'
import { checkLink, signedQuery } from './links.ts'

const server = await startServer({ delivers: false })
const { api, db, acme } = server
after(() => server.close())

const site = createClient(new URL(server.url).origin)
const { id: ticket } = await makeTicket(api)

/** Posts a message with a file, and returns the file as the event shows it. */
async function post(fields: object) {
  const file = await makePicture(api)
  const [event] = await eventsOf(server, () => makeMessage(api, ticket, { media_ids: [file.id], ...fields }))
  return { file, shown: event?.data.media[0], at: `${event?.at}Z` }
}

const assertMissing = (answer: Answer) => assertBrief(answer, 404, 'File not found')

test('spec 6.6.3 address: the URL of a public file in an event needs no key', async () => {
  const { file, shown } = await post({})
  assert.equal(shown.url, `/api/media/${file.id}`)
  assert.equal(shown.thumb_url, `/api/media/${file.id}/thumb`)
  const { status, headers } = await site.get(shown.url)
  assert.deepEqual([status, headers.get('content-type')], [200, 'image/png'])
  assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin')
  assert.equal(headers.get('content-security-policy'), "sandbox; default-src 'none'")
  assert.equal((await site.get(shown.thumb_url)).headers.get('content-type'), 'image/webp')
  assert.match((await site.get(`${shown.url}?inline=1`)).headers.get('content-disposition')!, /^inline/)
})

test('spec 6.6.3 note: the URL of a file of an internal note is signed, and answers 404 without the signature', async () => {
  const { file, shown } = await post({ is_internal: true })
  assert.match(shown.url, new RegExp(`^/api/media/${file.id}\\?exp=\\d+&sig=[0-9a-f]{64}$`))
  assert.equal((await site.get(shown.url)).status, 200)
  assert.equal((await site.get(shown.thumb_url)).status, 200)
  assertMissing(await site.get(`/api/media/${file.id}`))
  assertMissing(await site.get(`/api/media/${file.id}/thumb`))
})

test('spec 6.6.3 note, spec 8 note links: the URL in the event of a note contains an expiry 12 hours later', async () => {
  const { shown, at } = await post({ is_internal: true })
  const exp = Number(new URL(shown.url, 'http://x').searchParams.get('exp'))
  const hours = (exp - Date.parse(at) / 1_000) / 3_600
  // The expiry time is rounded down to seconds, and the event is written shortly before or after it.
  assert.ok(Math.abs(hours - 12) < 0.01, `${hours} hours`)
})

test('spec 6.6.3 note, spec 8 note links: a signed URL is valid for 12 hours and refused a second later', () => {
  const id = '0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b11'
  const at = Date.now()
  const query = Object.fromEntries(new URLSearchParams(signedQuery(id, at)))
  const hours = 12 * 3_600_000
  assert.equal(checkLink(id, query, at), true)
  assert.equal(checkLink(id, query, at + hours - 1_000), true)
  assert.equal(checkLink(id, query, at + hours + 1_000), false)
})

test('spec 8 note links: an expired URL answers 404', async () => {
  const { file } = await post({ is_internal: true })
  assert.equal((await site.get(`/api/media/${file.id}${signedQuery(file.id)}`)).status, 200)
  const over = signedQuery(file.id, Date.now() - 12 * 3_600_000 - 2_000)
  assertMissing(await site.get(`/api/media/${file.id}${over}`))
})

test('refuses a URL with any one bit changed, 10,000 times', t => {
  const flip = (text: string, bit: number): string => {
    const bytes = Buffer.from(text, 'latin1')
    bytes[bit >> 3]! ^= 1 << (bit & 7)
    return bytes.toString('latin1')
  }
  const flipsOf = (text: string): string[] =>
    Array.from({ length: text.length * 8 }, (_, bit) => flip(text, bit))
  let tried = 0
  const refuse = (id: string, query: { exp: string; sig: string }) => {
    tried++
    assert.equal(checkLink(id, query), false)
  }
  while (tried < 10_000) {
    const id = newId()
    const { exp, sig } = Object.fromEntries(new URLSearchParams(signedQuery(id))) as Record<
      'exp' | 'sig',
      string
    >
    assert.equal(checkLink(id, { exp, sig }), true)
    for (const wrong of flipsOf(sig)) refuse(id, { exp, sig: wrong })
    for (const wrong of flipsOf(exp)) refuse(id, { exp: wrong, sig })
    for (const wrong of flipsOf(id)) refuse(wrong, { exp, sig })
  }
  t.diagnostic(`${tried} addresses`)
})

test('refuses a partial signature, a repeated one and one of another file', async () => {
  const { file, shown } = await post({ is_internal: true })
  const other = await post({ is_internal: true })
  const query = shown.url.split('?')[1]
  const [exp, sig] = query.split('&')
  for (const wrong of [
    exp,
    sig,
    `${exp}&sig=`,
    `${exp}&${sig}0`,
    'exp=&sig=',
    other.shown.url.split('?')[1],
  ]) {
    assertMissing(await site.get(`/api/media/${file.id}?${wrong}`))
  }
})

test('does not serve a file without a message', async () => {
  const { id } = await makeUpload(api)
  assertMissing(await site.get(`/api/media/${id}`))
  assertMissing(await site.get(`/api/media/${id}${signedQuery(id)}`))
})

test('does not serve a file of a scheduled message', async () => {
  const { file } = await post({ send_at: '2999-01-01' })
  assertMissing(await site.get(`/api/media/${file.id}`))
})

test('does not serve a file of a suspended project', async () => {
  const { shown } = await post({})
  await db`update projects set suspended_at = now() where id = ${acme.id}`
  assertMissing(await site.get(shown.url))
  await db`update projects set suspended_at = null where id = ${acme.id}`
  assert.equal((await site.get(shown.url)).status, 200)
})

test('URLs of files answer 503 during maintenance', async () => {
  const { shown } = await post({})
  await db`update installation set maintenance = true`
  const { status } = await site.get(shown.url)
  await db`update installation set maintenance = false`
  assert.equal(status, 503)
})

test('other methods of these URLs answer 405, and other paths 404', async () => {
  const { shown } = await post({})
  assert.equal((await site.post(shown.url)).status, 405)
  assert.equal((await site.get('/api/media/')).status, 404)
  assert.equal((await site.get(`${shown.url}/other`)).status, 404)
})
