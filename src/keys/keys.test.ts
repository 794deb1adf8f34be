import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { type Answer, assertBrief, createClient } from '../../test/client.ts'
import { startServer } from '../../test/server.ts'
import { buildApp } from '../app.ts'
import { createProject, resumeProject, suspendProject } from '../projects/projects.ts'
import { createKey, deleteKey, disableKey, listKeys, makeKey } from './api-keys.ts'

const server = await startServer({ delivers: false })
const { db, url, api, stranger, acme, rival } = server

/** Another app on the same database, like a second process. */
const second = await buildApp(server)
await second.listen({ port: 0, host: '127.0.0.1' })
const secondUrl = `http://127.0.0.1:${(second.server.address() as AddressInfo).port}/api/v1`
after(async () => {
  await second.close()
  await server.close()
})

const invalid = 'API key is invalid or revoked'
const missing = 'API key is missing. Send it in the Authorization header as "Bearer <API_KEY>"'

function assertRefused(answer: Answer, text: string): void {
  assertBrief(answer, 401, text)
  assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
}

const withHeader = (authorization: string) => stranger.get('/tickets', { headers: { authorization } })

/** A new project with a key, and a client for each of the two processes. Both processes have seen the key work. */
async function open() {
  const project = await createProject(db, { name: 'Own' })
  const key = await createKey(db, project.id, 'Own')
  const callers = [createClient(url, key.key), createClient(secondUrl, key.key)]
  for (const caller of callers) assert.equal((await caller.get('/tickets')).status, 200)
  return { project, key, callers }
}

test('spec 7.1 401: without an Authorization header, the key is missing', async () => {
  for (const path of ['/tickets', '/nothing', '/contacts/x', '/webhooks'])
    assertRefused(await stranger.get(path), missing)
  assertRefused(await stranger.post('/tickets', { contact: {} }), missing)
  assertRefused(await stranger.put('/tickets'), missing)
})

const wrong: [string, string][] = [
  ['an unknown key', `Bearer ${makeKey()}`],
  ['a key without sk_', `Bearer ${acme.key.key.slice(3)}`],
  ['the key with another prefix', `Bearer pk_${acme.key.key.slice(3)}`],
  ['the key in upper case', `Bearer ${acme.key.key.toUpperCase()}`],
  ['the prefix of a key', `Bearer ${acme.key.prefix}`],
  ['the key with one more character', `Bearer ${acme.key.key}x`],
  ['a key followed by more text', `Bearer ${acme.key.key} x`],
  ['another scheme', `Basic ${acme.key.key}`],
  ['no scheme', acme.key.key],
  ['a scheme only', 'Bearer'],
  ['an empty header', ''],
  ['a hash of a key', 'Bearer sk_'.padEnd(80, 'a')],
  ['a key of 8,000 characters', `Bearer sk_${'a'.repeat(8_000)}`],
  ['an SQL quote', "Bearer sk_' or 1=1 --"],
]
for (const [name, header] of wrong) {
  test(`spec 7.1 401: ${name} is invalid`, async () => assertRefused(await withHeader(header), invalid))
}

test('the scheme is case-insensitive', async () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    assert.equal((await withHeader(`${scheme} ${acme.key.key}`)).status, 200)
  }
})

test('a key in the query or in another header is ignored', async () => {
  assertRefused(await stranger.get(`/tickets?api_key=${acme.key.key}&access_token=${acme.key.key}`), missing)
  assertRefused(await stranger.get('/tickets', { headers: { 'x-api-key': acme.key.key } }), missing)
})

test('spec 7.1 401: a disabled key is refused from the very next request on, in every process', async () => {
  const { key, callers } = await open()
  await disableKey(db, key.id)
  for (const caller of callers) assertRefused(await caller.get('/tickets'), invalid)
})

test('spec 7.1 401: a deleted key is refused from the very next request on, in every process', async () => {
  const { key, callers } = await open()
  await deleteKey(db, key.id)
  for (const caller of callers) assertRefused(await caller.get('/tickets'), invalid)
})

test('spec 7.1 401: keys of a suspended project are refused from the very next request on, in every process, until it is resumed', async () => {
  const { project, callers } = await open()
  await suspendProject(db, project.id)
  for (const caller of callers) assertRefused(await caller.get('/tickets'), invalid)
  await resumeProject(db, project.id)
  for (const caller of callers) assert.equal((await caller.get('/tickets')).status, 200)
})

test('with 200 requests in flight, all that begin after the key was disabled are refused', async () => {
  const { key, callers } = await open()
  const before = Array.from({ length: 100 }, (_, at) => callers[at % 2]!.get('/tickets'))
  await disableKey(db, key.id)
  const later = await Promise.all(Array.from({ length: 100 }, (_, at) => callers[at % 2]!.get('/tickets')))
  assert.deepEqual([...new Set(later.map(answer => answer.status))], [401])
  await Promise.all(before)
})

test('disabling one key does not affect the other keys of its project', async () => {
  const { project, key } = await open()
  const other = createClient(url, (await createKey(db, project.id, 'Other')).key)
  await disableKey(db, key.id)
  assert.equal((await other.get('/tickets')).status, 200)
})

test('a key gives access to its own project only', async () => {
  const ticket = (await api.post('/tickets', { contact: { email: 'ann@example.com' } })).body
  assert.equal(ticket.workspace_id, acme.id)
  const theirs = await createClient(secondUrl, rival.key.key).get(`/tickets/${ticket.id}`)
  assert.equal(theirs.status, 404)
})

test('a key starts with sk_ and has at least 190 bits', () => {
  const keys = Array.from({ length: 200 }, makeKey)
  assert.equal(new Set(keys).size, 200)
  for (const key of keys) assert.match(key, /^sk_[A-Za-z0-9_-]{32,}$/)
})

test("after creation, only a key's prefix is listed and only its hash is stored", async () => {
  const project = await createProject(db, { name: 'Listed' })
  const { key, prefix } = await createKey(db, project.id, 'CI server')
  const listed = await listKeys(db, project.id)
  assert.equal(listed.length, 1)
  assert.partialDeepStrictEqual(listed[0], { name: 'CI server', prefix })
  assert.ok(key.startsWith(prefix) && prefix.length < 16)
  const [row] = await db`select k::text from api_keys k where k.project_id = ${project.id}`
  assert.ok(!row!.k.includes(key.slice(prefix.length)))
  assert.ok(!JSON.stringify(listed).includes(key.slice(prefix.length)))
})

test('a refused key appears neither in the response body nor in its headers', async () => {
  const key = makeKey()
  const answer = await withHeader(`Bearer ${key}`)
  assert.ok(!(answer.text + JSON.stringify([...answer.headers])).includes(key))
})
