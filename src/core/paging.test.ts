import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createDatabase } from '../../test/database.ts'
import type { Fragment } from './db.ts'
import { InvalidRequest } from './errors.ts'
import { newId } from './ids.ts'
import { listPage, type PageQuery, printCursor, type Sort } from './paging.ts'

const { db, drop } = await createDatabase()
after(drop)

const byTime: Sort = {
  name: 'created_at',
  isDescending: false,
  column: db`created_at` as Fragment,
  id: db`id` as Fragment,
}
const byRank: Sort = { ...byTime, name: 'rank', isNumber: true }

/** A list of one record. */
const list = (sort: Sort, query: PageQuery = {}, count = async () => 1) =>
  listPage(
    {
      sql: db,
      sort,
      find: async () => [{ id: 'one', sort_value: null }],
      load: async () => [{ id: 'one' }],
      count,
    },
    query,
  )

test('a count that takes too long leaves the page without a total', async () => {
  const page = await list(byTime, {}, async () => {
    await db.begin(async tx => {
      await tx`set local statement_timeout = 5`
      await tx`select pg_sleep(30)`
    })
    return 1
  })
  assert.deepEqual([page.items, page.total, page.pages], [[{ id: 'one' }], null, null])
})

test('a count that fails otherwise is no page', async () => {
  const count = async () => (await db`select 1 / 0 as count`)[0]!.count
  await assert.rejects(list(byTime, {}, count), /division by zero/)
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

test('the place in a cursor of an order by number is a number, and of one by time a time', async () => {
  const id = newId()
  for (const [value, isPlace] of places) {
    const cursor = printCursor(byRank, { value, id })
    const read = list(byRank, { cursor }).then(
      () => true,
      error => {
        assert.ok(error instanceof InvalidRequest)
        const msg = 'Input should be the next_cursor of a page with the same sort'
        assert.deepEqual(error.problems, [
          { type: 'value_error', loc: ['query', 'cursor'], msg, input: cursor },
        ])
        return false
      },
    )
    assert.equal(await read, isPlace, value)
    await assert.rejects(list(byTime, { cursor: printCursor(byTime, { value, id }) }), InvalidRequest)
  }
  await list(byTime, { cursor: printCursor(byTime, { value: '2026-01-02T03:04:05.000006', id }) })
})
