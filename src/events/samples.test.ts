import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileBody } from '../core/http/validate.ts'
import { catalogue, eventTypes } from './catalogue.ts'
import { sampleData } from './samples.ts'

for (const type of eventTypes) {
  test(`the sample of ${type} fits its schema and has every required field`, () => {
    const sample = sampleData(type)
    compileBody(catalogue[type])(structuredClone(sample))
    for (const [name, value] of Object.entries(sample)) {
      assert.notEqual(value, undefined, name)
      if (name.endsWith('_id') || name === 'id') assert.ok(value === null || value !== '', name)
    }
  })
}
