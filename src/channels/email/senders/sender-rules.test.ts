import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nobody, unique } from '../../../../test/cast.ts'
import { assertBrief, assertEnvelope, assertProblems } from '../../../../test/client.ts'
import { openMailbox, startSupport } from '../../../../test/mail/receiving.ts'
import { joinProject, type Person } from '../../../../test/operator.ts'
import type { SenderRule } from './sender-schema.ts'

/** Admins block and allow senders. */

const { receiving, get } = await startSupport('support@example.com')
const { server } = receiving
const { api, outsider } = server
const olga = await joinProject(server, server.acme, { name: 'Olga', role: 'admin' })

const block = (pattern: string) => api.post('/sender-rules', { pattern, verdict: 'blocked' })
const patterns = async (query = ''): Promise<string[]> =>
  (await get(`/sender-rules${query}`)).items.map(({ pattern }: SenderRule) => pattern)

test('a rule shows who made it, and is stored in one spelling', async () => {
  const made = await olga.api.post('/sender-rules', {
    pattern: ' @XN--BCHER-KVA.example. ',
    verdict: 'blocked',
  })
  assert.equal(made.status, 201, made.text)
  assert.partialDeepStrictEqual(made.body, {
    pattern: 'bücher.example',
    verdict: 'blocked',
    author_type: 'operator',
    author_id: olga.id,
    author_name: 'Olga',
  })
  const byKey = await block('Ann.Lee@Example.ORG')
  assert.partialDeepStrictEqual(byKey.body, {
    pattern: 'ann.lee@example.org',
    author_type: 'api',
    author_name: null,
  })
})

test('a second rule with the same pattern replaces the first', async () => {
  const pattern = `${unique()}.example`
  const first = await block(pattern)
  const same = await block(pattern.toUpperCase())
  assert.deepEqual(same.body, first.body)
  const changed = await olga.api.post('/sender-rules', { pattern, verdict: 'allowed' })
  assert.partialDeepStrictEqual(changed.body, { id: first.body.id, verdict: 'allowed', author_name: 'Olga' })
  assert.deepEqual(await patterns(`?q=${pattern}`), [pattern])
  const { items } = (await olga.api.get(`/audit?target_id=${first.body.id}`)).body
  assert.deepEqual(
    items.map(({ action, detail }: { action: string; detail: unknown }) => [action, detail]),
    [
      ['sender_rule.changed', { verdict: 'allowed' }],
      ['sender_rule.created', { verdict: 'blocked' }],
    ],
  )
})

test('lists rules newest first, by pages, and finds them by part of the pattern', async () => {
  const word = unique().toLowerCase()
  const all = [`a@${word}.example`, `${word}.example`, `b@${word}.example`]
  for (const pattern of all) await block(pattern)
  await api.post('/sender-rules', { pattern: `good@${word}.example`, verdict: 'allowed' })
  assert.deepEqual(await patterns(`?q=${word.toUpperCase()}&verdict=blocked`), all.toReversed())
  assert.deepEqual(await patterns(`?q=${word}&verdict=allowed`), [`good@${word}.example`])
  assert.deepEqual(await patterns('?q=no_rule%25'), [])
  const first = await get(`/sender-rules?q=${word}&page_size=3`)
  assert.equal(first.total, 4)
  assert.deepEqual(await patterns(`?q=${word}&page_size=3&cursor=${first.next_cursor}`), [all[0]])
})

test('a deleted rule is gone', async () => {
  const { id, pattern } = (await block(`${unique()}.example`)).body
  assert.equal((await olga.api.delete(`/sender-rules/${id}`)).status, 204)
  assert.deepEqual(await patterns(`?q=${pattern}`), [])
  assertBrief(await api.delete(`/sender-rules/${id}`), 404, 'Sender rule not found')
  const [{ action, target_name }] = (await olga.api.get(`/audit?target_id=${id}`)).body.items
  assert.deepEqual([action, target_name], ['sender_rule.deleted', pattern])
})

test('rejects what is neither an address nor a domain', async () => {
  for (const pattern of [
    'com',
    'ann@',
    '@',
    '*.example.com',
    'a b.example',
    'a@b@example.com',
    'https://example.com',
  ])
    assertEnvelope(await block(pattern), 422, 'VALIDATION_ERROR', {
      field: 'pattern',
      reason: 'not_a_sender',
    })
  assertProblems(await api.post('/sender-rules', { pattern: 'a.example', verdict: 'maybe' }), 'body.verdict')
})

test('mailboxes and operators of the project cannot be blocked', async () => {
  await openMailbox(receiving, 'sales@example.com', { aliases: ['shop@example.com'] })
  const own = { field: 'pattern', reason: 'own_sender' }
  for (const pattern of ['support@example.com', 'Shop@example.com', olga.email.toUpperCase()])
    assertEnvelope(await block(pattern), 422, 'VALIDATION_ERROR', own)
  const theirs = await outsider.post('/sender-rules', { pattern: olga.email, verdict: 'blocked' })
  assert.equal(theirs.status, 201)
})

test('a project has at most 10,000 rules, which can still be replaced', async () => {
  const { db, rival } = server
  await db`delete from sender_rules where project_id = ${rival.id}`
  await db`
    insert into sender_rules (project_id, id, pattern, verdict, author_type)
    select ${rival.id}, gen_random_uuid(), i || '.many.example', 'blocked', 'system' from generate_series(1, 10000) i`
  const send = (pattern: string) => outsider.post('/sender-rules', { pattern, verdict: 'allowed' })
  const detail = { field: 'pattern', reason: 'too_many', max: 10_000 }
  assertEnvelope(await send('more.example'), 422, 'VALIDATION_ERROR', detail)
  assert.equal((await send('7.many.example')).body.verdict, 'allowed')
})

test('only admins see and change rules, and other projects cannot find them', async () => {
  const { id, pattern } = (await block(`${unique()}.example`)).body
  const omar: Person = await joinProject(server, server.acme, { name: 'Omar' })
  for (const answer of [
    await omar.api.get('/sender-rules'),
    await omar.api.post('/sender-rules', { pattern, verdict: 'allowed' }),
    await omar.api.delete(`/sender-rules/${id}`),
  ])
    assertEnvelope(answer, 403, 'ROLE_REQUIRED', { role: 'admin' })
  for (const unknown of [id, nobody, 'x'])
    assert.equal((await outsider.delete(`/sender-rules/${unknown}`)).status, 404)
  assert.deepEqual((await outsider.get(`/sender-rules?q=${pattern}`)).body.items, [])
  assert.deepEqual(await patterns(`?q=${pattern}&verdict=blocked`), [pattern])
})
