import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeTicket, unique } from '../../../test/cast.ts'
import { type Answer, assertProblems } from '../../../test/client.ts'
import { startServer } from '../../../test/server.ts'

const server = await startServer({ delivers: false })
const { api } = server
after(() => server.close())

const ticket = await makeTicket(api)
const contact = { email: 'ann@example.com' }
const create = (fields: object) => api.post('/tickets', { contact, ...fields })

const problemAt = (answer: Answer, loc: (string | number)[]) => {
  assertProblems(answer)
  const found = answer.body.detail.find(
    (problem: { loc: unknown[] }) => JSON.stringify(problem.loc) === JSON.stringify(loc),
  )
  assert.ok(found, answer.text)
  return found
}

const cases: [string, object, (string | number)[], string, object?][] = [
  ['missing', { contact: undefined }, ['body', 'contact'], 'missing'],
  ['string_type', { subject: 5 }, ['body', 'subject'], 'string_type'],
  ['bool_type', { is_spam: 'true' }, ['body', 'is_spam'], 'bool_type'],
  ['list_type', { tags: {} }, ['body', 'tags'], 'list_type'],
  ['dict_type', { custom_fields: [] }, ['body', 'custom_fields'], 'dict_type'],
  [
    'string_too_long',
    { subject: 'x'.repeat(256) },
    ['body', 'subject'],
    'string_too_long',
    { max_length: 255 },
  ],
  ['an item of a list', { tags: ['a', 7] }, ['body', 'tags', 1], 'string_type'],
  ['a nested field', { contact: { email: 1 } }, ['body', 'contact', 'email'], 'string_type'],
]
for (const [name, fields, loc, type, ctx] of cases) {
  test(`${name}: the problem has type, loc, msg and input`, async () => {
    const answer =
      'is_spam' in fields ? await api.patch(`/tickets/${ticket.id}`, fields) : await create(fields)
    const problem = problemAt(answer, loc)
    assert.equal(problem.type, type)
    assert.ok(problem.msg.length > 3)
    if (ctx) assert.deepEqual(problem.ctx, ctx)
  })
}

test('a problem contains the input, or null if the input is missing or long', async () => {
  const inputOf = async (answer: Promise<Answer>, loc: (string | number)[]) =>
    problemAt(await answer, loc).input
  const change = (headers: Record<string, string>) =>
    api.patch(`/tickets/${ticket.id}`, { subject: 'New' }, { headers })
  assert.equal(await inputOf(change({ 'if-match': 'abc' }), ['header', 'if-match']), 'abc')
  const key = 'x'.repeat(256)
  const again = api.post('/tickets', { contact }, { headers: { 'idempotency-key': key } })
  assert.equal(await inputOf(again, ['header', 'idempotency-key']), key)
  const xml = { 'content-type': 'text/xml' }
  assert.equal(await inputOf(change(xml), ['header', 'content-type']), 'text/xml')
  assert.equal(await inputOf(create({ subject: 'a\0' }), ['body', 'subject']), 'a\0')
  assert.equal(await inputOf(api.get('/tickets?q=a%00b'), ['query', 'q']), 'a\0b')
  assert.equal(await inputOf(create({ subject: 'x'.repeat(998) }), ['body', 'subject']), 'x'.repeat(998))
  assert.equal(await inputOf(create({ subject: 'x'.repeat(999) }), ['body', 'subject']), null)
  assert.equal(await inputOf(api.post('/tickets'), ['body']), null)
})

test('an enum problem lists the allowed values', async () => {
  const problem = problemAt(await create({ priority: 'top' }), ['body', 'priority'])
  assert.deepEqual([problem.type, problem.input], ['enum', 'top'])
  for (const word of ['low', 'normal', 'high', 'urgent'])
    assert.ok(problem.ctx.expected.includes(`'${word}'`))
})

test('a range problem contains the limit', async () => {
  const rate = (rating: number) => api.post(`/tickets/${ticket.id}/rate`, { rating })
  const high = problemAt(await rate(6), ['body', 'rating'])
  assert.deepEqual([high.type, high.ctx, high.input], ['less_than_equal', { le: 5 }, 6])
  const low = problemAt(await rate(0), ['body', 'rating'])
  assert.deepEqual([low.type, low.ctx], ['greater_than_equal', { ge: 1 }])
  assert.equal(problemAt(await rate(1.5), ['body', 'rating']).type, 'int_type')
})

test('does not convert types', async () => {
  const wrong = { subject: 12, status: true, tags: 'a', custom_fields: '{}', external_id: 1 }
  assertProblems(await create(wrong), ...Object.keys(wrong).map(name => `body.${name}`))
})

test('reports all problems at once', async () => {
  const answer = await api.post('/tickets', {
    contact: { email: 'no', full_name: 1 },
    status: 'x',
    tags: [1, 2],
  })
  const locs = ['contact.email', 'contact.full_name', 'status', 'tags.0', 'tags.1']
  assertProblems(answer, ...locs.map(loc => `body.${loc}`))
})

test('ignores unknown fields at every depth', async () => {
  const { status } = await create({ x: 1, contact: { ...contact, y: [{}] }, 'a b': null })
  assert.equal(status, 201)
})

test('does not send a large wrong value back', async () => {
  const answer = await create({ status: 'x'.repeat(500_000) })
  assertProblems(answer, 'body.status:enum')
  assert.ok(answer.text.length < 5_000)
})

test('measures text in characters, not in bytes or UTF-16 units', async () => {
  assert.equal((await create({ subject: '🦓'.repeat(255) })).status, 201)
  assertProblems(await create({ subject: '🦓'.repeat(256) }), 'body.subject:string_too_long')
})

test('nullable optional fields accept null', async () => {
  const nulls = { subject: null, content: null, operator_id: null, department_id: null, external_id: null }
  assert.equal(
    (await create({ ...nulls, contact: { ...contact, phone: null, telegram_id: null } })).status,
    201,
  )
})

test('parses query parameters from text, and uses the last of repeated values', async () => {
  const { body } = await api.get('/tickets?page_size=5&page_size=7')
  assert.equal(body.page_size, 7)
  for (const five of ['5', '+5', '05', '5.0', '5.00'])
    assert.equal((await api.get(`/tickets?page_size=${encodeURIComponent(five)}`)).body.page_size, 5)
  for (const none of ['5.', '5.5', '.0', '5e0', '0x5', '5.0.0'])
    assertProblems(await api.get(`/tickets?page_size=${none}`), 'query.page_size:int_parsing')
  for (const yes of ['true', '1', 'True'])
    assert.equal((await api.get(`/tickets?is_spam=${yes}`)).body.total, 0)
})

test('any query is answered with a list or a schema mismatch', async () => {
  const values = [
    '',
    '%',
    '%E0%A4%A',
    '%00',
    '%ED%A0%80',
    '%FF',
    '[]',
    'a'.repeat(5_000),
    '🦓',
    "'",
    '-1',
    'null',
    '1e9',
  ]
  const names = [
    'status',
    'tag',
    'q',
    'sort',
    'page',
    'cursor',
    'contact_id',
    'external_id',
    'created_after',
    'channel',
  ]
  for (const name of names) {
    const answers = await Promise.all(values.map(value => api.get(`/tickets?${name}=${value}`)))
    answers.forEach((answer, at) => {
      assert.ok([200, 422].includes(answer.status), `${name}=${values[at]!.slice(0, 50)}: ${answer.text}`)
      if (answer.status === 422) assertProblems(answer)
    })
  }
})

test('a custom field is a string, a number, a boolean, a list of these, or null', async () => {
  const custom_fields = { a: 'x', b: 1.5, c: true, d: ['x', 2, false], e: [] }
  const made = await makeTicket(api, { custom_fields, external_id: unique() })
  assert.deepEqual(made.custom_fields, custom_fields)
  for (const wrong of [{ a: {} }, { a: [[]] }, { a: [{}] }, { a: [null] }]) {
    assertProblems(await create({ custom_fields: wrong }))
  }
})

test('an unencoded plus sign in a query is explained in the error', async () => {
  const { body } = await api.get('/tickets?created_after=2026-01-15T10:30:00+02:00')
  assert.match(body.detail[0].msg, /encode the \+ of an offset as %2B/)
  assert.equal((await api.get('/tickets?created_after=2026-01-15T10:30:00%2B02:00')).status, 200)
  const other = await api.get('/tickets?created_after=yesterday')
  assert.doesNotMatch(other.body.detail[0].msg, /%2B/)
})
