import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createDatabase } from '../../../test/database.ts'
import { InvalidRequest } from '../errors.ts'
import { newId } from '../ids.ts'
import { printCursor, scopeOf } from './cursor.ts'
import { addressAt, listPage, type PageQuery, type Sort } from './paging.ts'

const { db, drop } = await createDatabase()
after(drop)

const byTime: Sort = {
  name: 'created_at',
  isDescending: false,
  column: db`created_at`,
  id: db`id`,
}
const byRank: Sort = { ...byTime, name: 'rank', isNumber: true }

/** A list of this many records. */
const listOf = (length: number, sort: Sort, query: PageQuery, count: (limit: number) => Promise<number>) =>
  listPage(
    {
      sql: db,
      sort,
      find: async (_condition, _ordering, { limit, offset }) =>
        Array.from({ length }, (_, at) => ({ id: String(at), sort_value: null })).slice(
          offset,
          offset + limit,
        ),
      load: async ids => ids.map(id => ({ id })),
      count,
    },
    query,
  )

/** A list that continues after the page, so that it must be counted. */
const counted = (count: () => Promise<number>) => listOf(2, byTime, { page_size: 1 }, count)

const list = (sort: Sort, query: PageQuery) => listOf(1, sort, query, async () => 1)

test('a list runs a count query only if the page does not show where the list ends', async () => {
  for (const length of [0, 1, 2, 3, 4, 5]) {
    for (const page of [1, 2, 3, 4]) {
      let counts = 0
      const { total, pages, has_more, items } = await listOf(
        length,
        byTime,
        { page, page_size: 2 },
        async () => {
          counts++
          return length
        },
      )
      const left = Math.max(length - 2 * (page - 1), 0)
      assert.deepEqual(
        { total, pages, has_more, shown: items.length, counts },
        {
          total: length,
          pages: Math.ceil(length / 2),
          has_more: left > 2,
          shown: Math.min(left, 2),
          counts: left > 2 || (left === 0 && page > 1) ? 1 : 0,
        },
        `page ${page} of ${length}`,
      )
    }
  }
})

test('a page has no total if counting takes too long', async () => {
  const page = await counted(async () => {
    await db.begin(async tx => {
      await tx`set local statement_timeout = 5`
      await tx`select pg_sleep(30)`
    })
    return 1
  })
  assert.deepEqual([page.items, page.total, page.pages], [[{ id: '0' }], null, null])
})

test('any other error of counting fails the request', async () => {
  const count = async () => (await db`select 1 / 0 as count`)[0]!.count
  await assert.rejects(counted(count), /division by zero/)
})

const places: [value: string, isPlace: boolean][] = [
  ['0', true],
  ['-7', true],
  ['123456789012345678', true],
  ['0.125', true],
  ['12.5', true],
  ['6e-05', true],
  ['6.25e-11', true],
  ['', false],
  ['null', false],
  ['x1', false],
  ['1x', false],
  ['--1', false],
  ['.5', false],
  ['1.', false],
  ['1.x', false],
  ['1.xyz', false],
  ['1e-5', false],
  ['1e-x5', false],
  ['1e-5x', false],
  ['1234567890123456789', false],
  ['NaN', false],
  ['Infinity', false],
  ['1 or 1=1', false],
]

test('the position in a cursor is a number if the list is sorted by number, and a time if it is sorted by time', async () => {
  const id = newId()
  for (const [value, isPlace] of places) {
    const cursor = printCursor(byRank, { value, id }, scopeOf({}))
    const read = list(byRank, { cursor }).then(
      () => true,
      error => {
        assert.ok(error instanceof InvalidRequest)
        const msg = 'Input should be the next_cursor of a page with the same sort and filters'
        assert.deepEqual(error.problems, [
          { type: 'value_error', loc: ['query', 'cursor'], msg, input: cursor },
        ])
        return false
      },
    )
    assert.equal(await read, isPlace, value)
    await assert.rejects(
      list(byTime, { cursor: printCursor(byTime, { value, id }, scopeOf({})) }),
      InvalidRequest,
    )
  }
  await list(byTime, {
    cursor: printCursor(byTime, { value: '2026-01-02T03:04:05.000006', id }, scopeOf({})),
  })
})

test('the URL of the next page is that of the same list, with the cursor instead of the page', () => {
  const next = (address: string) => addressAt('a+b=', address)
  assert.equal(next('/api/v1/tickets?page=2&status=open'), '/api/v1/tickets?status=open&cursor=a%2Bb%3D')
  assert.equal(next('/api/v1/tickets?cursor=old&q=%C3%A4'), '/api/v1/tickets?cursor=a%2Bb%3D&q=%C3%A4')
})

test('a cursor is accepted only with the same filters, in any order; one from before filters were included is accepted too', async () => {
  const at = { value: '2026-01-15T10:30:00.123456', id: newId() }
  const filters = { status: ['open', 'new'], tag: undefined, q: 'card' }
  const cursor = printCursor(byTime, at, scopeOf(filters, 'ticket'))
  const ask = (query: object, of?: string, sent = cursor) =>
    listPage(
      { sql: db, sort: byTime, of, find: async () => [], load: async () => [], count: async () => 0 },
      { ...query, cursor: sent },
    )
  await ask({ q: 'card', status: ['new', 'open'], page_size: 5, count: false }, 'ticket')
  for (const query of [
    {},
    { ...filters, q: 'cards' },
    { ...filters, priority: ['low'] },
    { status: filters.status },
  ])
    await assert.rejects(ask(query, 'ticket'), InvalidRequest)
  await assert.rejects(ask(filters, 'another ticket'), InvalidRequest)
  const old = Buffer.from(`+created_at|${at.value}|${at.id}`).toString('base64url')
  await ask(filters, 'ticket', old)
})

test('a page at a cursor has no page number', async () => {
  const cursor = printCursor(byTime, { value: '2026-01-15T10:30:00.123456', id: newId() }, scopeOf({}))
  assert.equal((await list(byTime, { cursor })).page, null)
  assert.equal((await list(byTime, {})).page, 1)
})

test('omits records that were deleted before they were loaded', async () => {
  const find = async () => [newId(), newId()].map(id => ({ id, sort_value: null }))
  const load = async (ids: string[]) => ids.slice(1).map(id => ({ id }))
  const { items } = await listPage({ sql: db, sort: byTime, find, load, count: async () => 2 }, {})
  assert.equal(items.length, 1)
})
