import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeDepartment, makeMessage, makeOperator, makeTicket, nobody, unique } from '../../../test/cast.ts'
import { assertEnvelope, assertProblems } from '../../../test/client.ts'
import { untilCounted } from '../../../test/counted.ts'
import { startServer } from '../../../test/server.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db, acme } = server
after(() => server.close())

const operators = [await makeOperator(db, acme), await makeOperator(db, acme, 'Olga')] as const
const departments = [await makeDepartment(db, acme), await makeDepartment(db, acme, 'Sales')] as const

/** Four tickets that differ in every field. Rival has similar ones. */
const shapes = {
  a: { status: 'new', priority: 'low', tags: ['vip', 'eu'], external_id: 'ext-a', subject: 'Zebra crossing' },
  b: { status: 'open', priority: 'normal', tags: ['vip'], operator_id: operators[0].id, subject: 'Quagga' },
  c: {
    status: 'pending',
    priority: 'high',
    tags: ['us'],
    department_id: departments[0].id,
    subject: 'Okapi',
  },
  d: { status: 'closed', priority: 'urgent', operator_id: operators[1].id, department_id: departments[1].id },
}
type Name = keyof typeof shapes
const tickets = {} as Record<Name, { id: string; contact_id: string; created_at: string; updated_at: string }>
for (const [at, [name, fields]] of Object.entries(shapes).entries()) {
  tickets[name as Name] = await makeTicket(api, fields)
  await db`update tickets set created_at = ${`2026-01-0${at + 1}T00:00:00Z`}, closed_at = closed_at - interval '1 year'
    where id = ${tickets[name as Name].id}`
  const { operator_id: _, department_id: __, ...rest } = fields as Record<string, unknown>
  await makeTicket(outsider, rest)
}
const names = new Map(Object.entries(tickets).map(([name, ticket]) => [ticket.id, name]))

async function found(query: string): Promise<string> {
  const body = await untilCounted(async () => {
    const answer = await api.get(`/tickets?sort=created_at&${query}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  })
  assert.equal(body.total, body.items.length)
  return body.items.map((item: { id: string }) => names.get(item.id) ?? '?').join('')
}

const none = operators.map(one => one.id)
const cases: [string, string][] = [
  ['', 'abcd'],
  ['status=new', 'a'],
  ['status=new&status=closed', 'ad'],
  ['status=new,open,pending', 'abc'],
  ['status=new,open&status=closed', 'abd'],
  ['priority=high', 'c'],
  ['priority=low,urgent', 'ad'],
  ['channel=api', 'abcd'],
  ['channel=email', ''],
  ['channel=email&channel=api', 'abcd'],
  ['tag=us', 'c'],
  ['operator_id=none', 'ac'],
  [`operator_id=${none[0]}`, 'b'],
  [`operator_id=${none.join(',')}`, 'bd'],
  [`operator_id=none&operator_id=${none[1]}`, 'acd'],
  [`operator_id=${nobody}`, ''],
  [`department_id=${departments[0].id}`, 'c'],
  [`department_id=${departments.map(one => one.id).join(',')}`, 'cd'],
  [`contact_id=${tickets.b.contact_id}`, 'b'],
  [`contact_id=${tickets.b.contact_id},${tickets.d.contact_id}`, 'bd'],
  [`contact_id=${nobody}`, ''],
  ['external_id=ext-a', 'a'],
  ['external_id=EXT-A', ''],
  ['is_spam=false', 'abcd'],
  ['is_spam=true', ''],
  ['created_after=2026-01-02', 'bcd'],
  ['created_before=2026-01-02', 'a'],
  ['created_after=2026-01-02T00:00:00&created_before=2026-01-03T00:00:00Z', 'b'],
  ['created_after=2026-01-02T02:00:00%2B02:00', 'bcd'],
  ['created_after=2026-01-02T00:00:00.000001Z', 'cd'],
  ['status=open&priority=low', ''],
  ['tag=vip&status=open', 'b'],
  ['unknown=1&foo[]=2&$where=3', 'abcd'],
]
for (const [query, expected] of cases) {
  const shown = query.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id')
  test(`GET /tickets?${shown} shows ${expected || 'nothing'}`, async () =>
    assert.equal(await found(query), expected))
}

test('several tags match any of them, as repeated parameters or as a comma-separated list', async () => {
  const repeated = await found('tag=vip&tag=us')
  assert.equal(await found('tag=vip,us'), repeated)
  assert.equal(repeated, 'abc')
})

test('updated_after includes its time and updated_before does not', async () => {
  const { updated_at: at } = (await api.get(`/tickets/${tickets.c.id}`)).body
  assert.equal(await found(`updated_after=${at}`), 'cd')
  assert.equal(await found(`updated_before=${at}`), 'ab')
})

test('closed_after and closed_before match closed tickets only', async () => {
  const { closed_at: at } = (await api.get(`/tickets/${tickets.d.id}`)).body
  assert.equal(await found(`closed_after=${at}`), 'd')
  assert.equal(await found(`closed_before=${at}`), '')
  assert.equal(await found('closed_before=2999-01-01'), 'd')
})

test('spam is excluded unless is_spam=true', async () => {
  await api.patch(`/tickets/${tickets.a.id}`, { is_spam: true })
  assert.equal(await found(''), 'bcd')
  assert.equal(await found('is_spam=true'), 'a')
  await api.patch(`/tickets/${tickets.a.id}`, { is_spam: false })
})

test('q finds words of the subject and of messages, in any case and order', async () => {
  const word = `aardvark${unique()}`
  await makeMessage(api, tickets.d.id, { content: `Our ${word}, the Café` })
  await makeMessage(outsider, (await makeTicket(outsider)).id, { content: word })
  assert.equal(await found('q=zebra'), 'a')
  assert.equal(await found('q=CROSSING%20zebra'), 'a')
  assert.equal(await found(`q=${word.toUpperCase()}`), 'd')
  assert.equal(await found('q=caf%C3%A9'), 'd')
  assert.equal(await found('q=zebra%20quagga'), '')
  assert.equal(await found(`q=${word}&status=open`), '')
})

test('q finds an edited message by its new words only', async () => {
  const [before, later] = [`ibis${unique()}`, `heron${unique()}`]
  const message = await makeMessage(api, tickets.b.id, { content: before })
  await api.patch(`/messages/${message.id}`, { content: later })
  assert.deepEqual([await found(`q=${before}`), await found(`q=${later}`)], ['', 'b'])
})

test('any text in q returns a list', async () => {
  for (const q of [
    "'",
    '"',
    '&|!()<->:*',
    '\\',
    '%',
    'a & | b',
    '!!',
    '🦓',
    ' ',
    'x'.repeat(500),
    ':*',
    '<html>',
  ]) {
    const answer = await api.get(`/tickets?q=${encodeURIComponent(q)}`)
    assert.equal(answer.status, 200, `${q}: ${answer.text}`)
  }
  assertProblems(await api.get(`/tickets?q=${'x'.repeat(501)}`), 'query.q:string_too_long')
  assertProblems(await api.get('/tickets?q=a%00b'), 'query.q')
})

test('an unknown value of an enum filter is a schema mismatch, in a list too', async () => {
  for (const [name, value] of [
    ['status', 'solved'],
    ['status', 'new,solved'],
    ['priority', 'top'],
    ['status', ''],
  ]) {
    const answer = await api.get(`/tickets?${name}=${value}`)
    assert.equal(answer.status, 422)
    assertProblems(answer)
    assert.equal(answer.body.detail[0].loc[1], name)
    assert.equal(answer.body.detail[0].type, 'enum')
  }
})

test('invalid times, numbers and booleans are schema mismatches', async () => {
  const wrong = [
    'created_after=yesterday',
    'updated_before=2026-02-30',
    'closed_after=1768473000',
    'is_spam=maybe',
  ]
  for (const query of [
    ...wrong,
    'created_before=',
    'count=2',
    'created_after=%2B294277-01-01',
    'created_after=2026-13-01',
  ]) {
    assertProblems(await api.get(`/tickets?${query}`), `query.${query.split('=')[0]}`)
  }
})

test('a malformed id in a filter finds nothing', async () => {
  for (const name of ['contact_id', 'operator_id', 'department_id'])
    assert.equal(await found(`${name}=nope`), '')
})

test("a contact's tickets are the same as GET /tickets?contact_id=, with the same filters", async () => {
  const { contact_id } = tickets.c
  const other = await makeTicket(api, {
    contact: (await api.get(`/contacts/${contact_id}`)).body,
    status: 'open',
  })
  for (const query of ['', 'status=open', 'q=okapi', 'page_size=1', 'created_before=2026-02-01']) {
    const own = (await api.get(`/contacts/${contact_id}/tickets?${query}`)).body
    const { next_cursor: _, ...all } = (await api.get(`/tickets?contact_id=${contact_id}&${query}`)).body
    const { next_cursor: __, ...mine } = own
    assert.deepEqual(mine, all)
  }
  assert.equal((await api.get(`/contacts/${contact_id}/tickets`)).body.total, 2)
  assertEnvelope(await outsider.get(`/contacts/${contact_id}/tickets`), 404, 'CONTACT_NOT_FOUND')
  await db`delete from tickets where id = ${other.id}`
})

test("Rival's lists and searches contain none of Acme's tickets", async () => {
  const ours = new Set(names.keys())
  for (const query of [
    '',
    'q=zebra',
    'tag=vip',
    `contact_id=${tickets.a.contact_id}`,
    `operator_id=${none[0]}`,
  ]) {
    const { items } = (await outsider.get(`/tickets?page_size=100&${query}`)).body
    assert.ok(
      items.every((item: { id: string }) => !ours.has(item.id)),
      query,
    )
  }
  assert.equal((await outsider.get(`/tickets?operator_id=${none[0]}`)).body.total, 0)
})

test('rating, rated_after and rated_before match rated tickets only, and merged filters by whether a ticket was merged', async () => {
  const rate = async (name: Name, rating: number) =>
    (await api.post(`/tickets/${tickets[name].id}/rate`, { rating })).body.rated_at
  await rate('a', 1)
  const at = await rate('c', 5)
  assert.equal(await found('rating=1'), 'a')
  assert.equal(await found('rating=1,5&rating=3'), 'ac')
  assert.equal(await found('rating=2'), '')
  assert.equal(await found(`rated_after=${at}`), 'c')
  assert.equal(await found(`rated_before=${at}`), 'a')
  assert.equal(await found('merged=false'), 'abcd')
  assert.equal(await found('merged=true'), '')
  const two = [await makeTicket(api), await makeTicket(api)]
  await api.post(`/tickets/${two[0].id}/merge`, { into_ticket_id: two[1].id, force: true })
  const merged = (await api.get('/tickets?merged=true')).body.items
  assert.deepEqual(
    merged.map(({ id }: { id: string }) => id),
    [two[0].id],
  )
  await db`delete from tickets where id in ${db(two.map(({ id }) => id))}`
  for (const wrong of ['rating=0', 'rating=6', 'rating=good', 'rated_after=x', 'merged=x'])
    assertProblems(await api.get(`/tickets?${wrong}`))
})
