import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exactForms, forms, listBenches } from '../../bench/short/forms.ts'
import { testBench } from './exact-bench.ts'

/** They have tests of their own. */
const elsewhere = ['chaos', 'cluster']

test('every bench has a short form, which runs here or by bin/bench short, or a test elsewhere', () => {
  const known = [...Object.keys(exactForms), ...Object.keys(forms), ...elsewhere]
  assert.deepEqual(listBenches(), known.sort())
})

testBench('billing')
testBench('ledger')

test('every exact form runs with the tests', () => {
  assert.deepEqual(Object.keys(exactForms).sort(), ['billing', 'injection', 'ledger'])
})
