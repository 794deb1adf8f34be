import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeMessage, makeTicket, nobody } from '../../test/cast.ts'
import { assertProblems } from '../../test/client.ts'
import { startServer } from '../../test/server.ts'
import { withoutTimeout } from '../core/db/db.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db, acme } = server
after(() => server.close())

/** 31 tickets with ties in every sort: three to a second, every fourth without a message. */
const count = 31
const made = await Promise.all(Array.from({ length: count }, () => makeTicket(api)))
for (const [at, { id }] of made.entries()) {
  if (at % 4) await makeMessage(api, id)
  const time = `2026-01-15T10:30:${String(Math.floor(at / 3)).padStart(2, '0')}.123456Z`
  await db`update tickets set created_at = ${time} where id = ${id}`
  await db`update ticket_activity set updated_at = ${time}, last_message_at = case when last_message_id is null
    then null else ${time}::timestamptz end where ticket_id = ${id}`
}
await makeTicket(outsider)

type Ticket = {
  id: string
  created_at: string
  updated_at: string
  last_message: { created_at: string } | null
}

const list = async (query: string) => {
  const answer = await api.get(`/tickets?${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const ids = (items: Ticket[]) => items.map(item => item.id)

async function walkPages(query: string, size: number): Promise<string[]> {
  const found: string[] = []
  for (let page = 1; page <= Math.ceil(count / size); page++) {
    found.push(...ids((await list(`${query}&page_size=${size}&page=${page}`)).items))
  }
  return found
}

async function walkCursor(query: string, size: number): Promise<string[]> {
  const found: string[] = []
  let cursor = ''
  do {
    const body = await list(`${query}&page_size=${size}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    found.push(...ids(body.items))
    assert.equal(body.has_more, body.next_cursor !== null)
    cursor = body.next_cursor ?? ''
  } while (cursor)
  return found
}

for (const name of ['created_at', 'updated_at', 'last_message_at']) {
  for (const sort of [name, `-${name}`]) {
    test(`sorted by ${sort}, pages and cursors return every ticket once, in the same order`, async () => {
      const all = ids((await list(`sort=${sort}&page_size=100`)).items)
      assert.deepEqual([...all].sort(), made.map(ticket => ticket.id).sort())
      for (const size of [1, 7, 31]) {
        assert.deepEqual(await walkPages(`sort=${sort}`, size), all, `pages of ${size}`)
        assert.deepEqual(await walkCursor(`sort=${sort}`, size), all, `cursors of ${size}`)
      }
    })
  }
}

const timeOf = (ticket: Ticket, name: string) =>
  name === 'created_at' ? ticket.created_at : ticket.updated_at

test('created_at and updated_at sort ascending, or descending with a minus', async () => {
  for (const name of ['created_at', 'updated_at']) {
    const values = (await list(`sort=${name}&page_size=100`)).items.map((item: Ticket) => timeOf(item, name))
    const falling = (await list(`sort=-${name}&page_size=100`)).items.map((item: Ticket) =>
      timeOf(item, name),
    )
    assert.deepEqual(values, [...values].sort())
    assert.deepEqual(falling, [...values].sort().reverse())
    assert.ok(new Set(values).size > 5)
  }
})

test('tickets without a message come last by last_message_at, in both directions', async () => {
  for (const sort of ['last_message_at', '-last_message_at']) {
    const { items } = await list(`sort=${sort}&page_size=100`)
    const has = items.map((item: Ticket) => item.last_message !== null)
    assert.equal(has.indexOf(false), 23)
    assert.equal(has.lastIndexOf(true), 22)
  }
})

test('spec 4.2 GET tickets: the newest ticket comes first by default, with 20 per page', async () => {
  const body = await list('')
  assert.equal(body.items.length, 20)
  assert.deepEqual(ids(body.items), ids((await list('sort=-created_at&page_size=20')).items))
})

test('spec 4.2 GET tickets: a page has page, page_size, total, pages, has_more and next_cursor', async () => {
  const { items, next_cursor, ...rest } = await list('page=4&page_size=10')
  assert.deepEqual(rest, { page: 4, page_size: 10, total: 31, pages: 4, has_more: false })
  assert.deepEqual([items.length, next_cursor], [1, null])
  assert.equal((await list('page=3&page_size=10')).has_more, true)
  assert.partialDeepStrictEqual(await list('page=5&page_size=10'), { total: 31, pages: 4, has_more: false })
})

test('a page beyond the end and a list without matches are empty', async () => {
  assert.deepEqual((await list('page=5&page_size=10')).items, [])
  const { items, ...rest } = await list(`contact_id=${nobody}`)
  const nothing = { page: 1, page_size: 20, total: 0, pages: 0, has_more: false, next_cursor: null }
  assert.deepEqual([items, rest], [[], nothing])
})

test('total and pages are null with count=false and in cursor mode', async () => {
  const first = await list('count=false&page_size=10')
  assert.deepEqual([first.total, first.pages, first.has_more], [null, null, true])
  const next = await list(`page_size=10&cursor=${first.next_cursor}`)
  assert.deepEqual([next.total, next.pages, next.items.length], [null, null, 10])
})

test('page is ignored if there is a cursor', async () => {
  const { next_cursor } = await list('page_size=10')
  const plain = await list(`page_size=10&cursor=${next_cursor}`)
  for (const page of [2, 9_000, 20_000]) {
    const paged = await list(`page_size=10&cursor=${next_cursor}&page=${page}`)
    assert.deepEqual(ids(paged.items), ids(plain.items))
  }
})

test('spec 4.2 GET tickets page_size: page_size must be 1 to 100', async () => {
  for (const size of ['0', '101', '-1', '1000000']) {
    const answer = await api.get(`/tickets?page_size=${size}`)
    const type = Number(size) < 1 ? 'greater_than_equal' : 'less_than_equal'
    assertProblems(answer, `query.page_size:${type}`)
    assert.deepEqual(answer.body.detail[0].ctx, Number(size) < 1 ? { ge: 1 } : { le: 100 })
  }
  for (const size of ['abc', '1.5', '', '1e1', '0x10', '99999999999999999999', 'null', '%00', '１']) {
    assertProblems(await api.get(`/tickets?page_size=${size}`), 'query.page_size')
  }
  assertProblems(await api.get('/tickets?page_size=abc'), 'query.page_size:int_parsing')
  assert.equal((await list('page_size=1')).items.length, 1)
  assert.equal((await list('page_size=100')).items.length, 31)
})

test('page must be 1 or more', async () => {
  for (const page of ['0', '-1', 'abc', '']) {
    assertProblems(await api.get(`/tickets?page=${page}`), 'query.page')
  }
})

test('pages beyond row 10,000 are refused, and the error recommends cursor', async () => {
  for (const [page, size] of [
    [101, 100],
    [10_001, 1],
    [501, 20],
    [999_999_999, 1],
  ]) {
    const answer = await api.get(`/tickets?page=${page}&page_size=${size}`)
    assertProblems(answer, 'query.page')
    assert.match(answer.text, /cursor/)
  }
  assert.deepEqual((await list('page=100&page_size=100')).items, [])
})

test('invalid, truncated and altered cursors, and those of another sort, are schema mismatches', async () => {
  const { next_cursor } = await list('page_size=10&sort=created_at')
  for (const cursor of ['x', '', '%F0%9F%98%80', 'a'.repeat(400), next_cursor.slice(0, -9), '%00']) {
    assertProblems(await api.get(`/tickets?cursor=${cursor}`), 'query.cursor')
  }
  assertProblems(await api.get(`/tickets?sort=-created_at&cursor=${next_cursor}`), 'query.cursor')
  assertProblems(await api.get(`/tickets?sort=updated_at&cursor=${next_cursor}`), 'query.cursor')
  assertProblems(await api.get(`/tickets?cursor=${'a'.repeat(501)}`), 'query.cursor')
})

test('a cursor of one filter is refused with another one', async () => {
  const { next_cursor } = await list('page_size=10&status=new')
  assert.equal((await list(`status=new&page_size=5&cursor=${next_cursor}`)).items.length, 5)
  for (const query of ['', 'status=open', 'status=new&tag=vip'])
    assertProblems(await api.get(`/tickets?${query}&cursor=${next_cursor}`), 'query.cursor')
})

test('a well-formed cursor with an invalid time is a schema mismatch', async () => {
  for (const value of [
    '2026-13-45T99:99:99.000000',
    '0000-00-00T00:00:00.000000',
    '7',
    '-9999999999999999999',
  ]) {
    for (const sort of ['-created_at', '-last_message_at']) {
      const cursor = Buffer.from(`${sort}|${value}|${nobody}`).toString('base64url')
      assertProblems(await api.get(`/tickets?sort=${sort}&cursor=${cursor}`), 'query.cursor')
    }
  }
})

test('with a cursor of Acme, Rival sees only its own tickets', async () => {
  const { next_cursor } = await list('page_size=10')
  const { status, body } = await outsider.get(`/tickets?cursor=${next_cursor}`)
  assert.ok(status === 200 || status === 422)
  for (const item of body.items ?? []) assert.notEqual(item.workspace_id, acme.id)
})

test('the Link header has the URL of the next page, with the filters', async () => {
  const first = await api.get('/tickets?status=new&sort=created_at&page_size=10&page=2')
  const url = /^<(\/api\/v1\/tickets\?[^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1]
  assert.ok(url, String(first.headers.get('link')))
  const [next, wanted] = [
    await api.get(url.slice('/api/v1'.length)),
    await list('status=new&sort=created_at&page_size=10&page=3'),
  ]
  assert.deepEqual(ids(next.body.items), ids(wanted.items))
  assert.equal((await api.get('/tickets?page=4&page_size=10')).headers.get('link'), null)
})

test('an unknown sort is a schema mismatch', async () => {
  for (const sort of ['id', '--created_at', 'created_at,id', '', 'CREATED_AT', '%2Bcreated_at']) {
    assertProblems(await api.get(`/tickets?sort=${sort}`), 'query.sort:enum')
  }
})

test('a list contains whole records', async () => {
  const { items } = await list('page_size=1')
  assert.deepEqual(items[0], (await api.get(`/tickets/${items[0].id}`)).body)
})

test('total is capped at 10,000, and total_capped says so', async () => {
  await withoutTimeout(
    db,
    own => own`
    with source as (select * from tickets where id = ${made[0]!.id}),
    more as (
      insert into tickets (project_id, id, number, subject, status, priority, channel, contact_id, external_id, created_at)
      select project_id, uuid_v7(), 1000000 + n, subject, status, priority, channel, contact_id, 'bulk', created_at
      from source, generate_series(1, 10001) n returning project_id, id, created_at)
    insert into ticket_activity (project_id, ticket_id, updated_at) select project_id, id, created_at from more`,
  )
  const capped = await list('external_id=bulk')
  assert.deepEqual([capped.total, capped.total_capped, capped.pages], [10_000, true, 500])
  await db`delete from tickets where id in (select id from tickets where external_id = 'bulk' limit 1)`
  const exact = await list('external_id=bulk')
  assert.deepEqual([exact.total, exact.total_capped ?? false], [10_000, false])
})
