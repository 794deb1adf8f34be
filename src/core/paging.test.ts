import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createDatabase } from '../../test/database.ts'
import type { Fragment } from './db.ts'
import { listPage } from './paging.ts'

const { db, drop } = await createDatabase()
after(drop)

/** A list of one record, which is counted by this statement. */
const list = (count: () => Promise<number>) =>
  listPage(
    {
      sql: db,
      sort: {
        name: 'created_at',
        isDescending: false,
        column: db`created_at` as Fragment,
        id: db`id` as Fragment,
      },
      find: async () => [{ id: 'one', sort_value: null }],
      load: async () => [{ id: 'one' }],
      count,
    },
    {},
  )

test('a count that takes too long leaves the page without a total', async () => {
  const page = await list(async () => {
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
  await assert.rejects(list(count), /division by zero/)
})
