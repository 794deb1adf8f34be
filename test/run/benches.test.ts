import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exactForms, forms, listBenches } from '../../bench/short/forms.ts'
import { testBench } from './exact-bench.ts'

/** These have their own test files. */
const elsewhere = ['chaos', 'cluster']

test('every bench has a short form or a test file', () => {
  const known = [...Object.keys(exactForms), ...Object.keys(forms), ...elsewhere]
  assert.deepEqual(listBenches(), known.sort())
})

testBench('billing')
testBench('bulk')
testBench('ledger')

test('every exact form runs with the tests', () => {
  assert.deepEqual(Object.keys(exactForms).sort(), ['billing', 'bulk', 'injection', 'ledger'])
})
