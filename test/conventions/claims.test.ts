import assert from 'node:assert/strict'
import { test } from 'node:test'
import { productCode } from './sources.ts'

/**
 * Postgres may join `in (select … limit … for update skip locked)` in such a way that the subquery runs again for each
 * row, and then claims more rows than its limit. `= any(array(select …))` runs it once.
 */
const joined =
  /\bin \(\s*select\b(?:[^()`]|\((?:[^()]|\([^()]*\))*\))*?\blimit (?:\$\{\w+\}|\d+) for (?:no key )?update/g

test('no statement claims rows by a limited subquery that may run more than once', () => {
  const found = productCode.flatMap(({ path, text }) =>
    [...text.matchAll(joined)].map(([claim]) => `${path}: ${claim.slice(0, 60)}`),
  )
  assert.deepEqual(found, [])
})
