import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { Missing, type Visit } from './page.ts'
import { pageNumberOf, queryOf } from './request.ts'

const asked = (query: object) => ({ query }) as FastifyRequest
const page = (text: string, size: number) => pageNumberOf(asked({ page: text }), {} as Visit, size)

test('page numbers range from 1 to the end of the longest list', () => {
  assert.deepEqual([page('', 50), page('1', 50), page('200', 50), page('500', 20)], [1, 1, 200, 500])
  for (const text of ['201', '0', '-1', '1.5', '1e2', '0x1', '99999', '999999999999']) {
    assert.throws(() => page(text, 50), Missing, text)
  }
})

test('a query value is the first of several, shortened, without control characters', () => {
  assert.equal(queryOf(asked({ q: [' a\u0000b\n', 'c'] }), 'q'), 'a b')
  assert.equal(queryOf(asked({ q: 'x'.repeat(3_000) }), 'q').length, 200)
  assert.equal(queryOf(asked({}), 'q'), '')
})
