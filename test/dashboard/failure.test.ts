import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../../src/core/config/config.ts'
import { en as text } from '../../web/dashboard/core/texts/en.ts'

// Its types need those of the browser, which the server's programs do not have.
const { Failure } = await import(join(root, 'web/dashboard/core/failure.ts'))

const sentence = 'A sentence of the server'
const sentenceOf = (status: number, body: object): string => new Failure(status, body).message
const envelope = (error_code: string, detail: object | null = null) => ({
  error_code,
  detail,
  error_message: sentence,
})

test('words an error by its code, its reason and its values, whatever the server says', () => {
  assert.equal(sentenceOf(403, envelope('ROLE_REQUIRED')), text.codes.ROLE_REQUIRED)
  assert.equal(
    sentenceOf(422, envelope('VALIDATION_ERROR', { field: 'slug', reason: 'slug_taken' })),
    text.reasons.slug_taken,
  )
  const low = { reason: 'balance_low', shortfall: 16.5, currency: 'EUR', message: sentence }
  assert.equal(
    sentenceOf(409, envelope('NOT_POSSIBLE', low)),
    'The balance is 16.50 EUR short. Top up first.',
  )
  assert.equal(
    sentenceOf(500, envelope('INTERNAL_ERROR', { reason: 'storage_full' })),
    text.failure.storageFull,
  )
  assert.equal(sentenceOf(404, { detail: 'Not Found' }), text.failure.statuses[404])
})

test('shows the sentence of the server only for a code or a reason that has no text', () => {
  assert.equal(sentenceOf(409, envelope('NEW_CODE')), sentence)
  assert.equal(sentenceOf(409, envelope('NOT_POSSIBLE', { reason: 'other', message: sentence })), sentence)
  assert.equal(sentenceOf(422, envelope('VALIDATION_ERROR', { field: 'x', reason: 'new' })), sentence)
})

test('words what is wrong with each field by type and limit', () => {
  const detail = [
    { type: 'string_too_long', loc: ['body', 'name'], msg: sentence, ctx: { max_length: 100 } },
    { type: 'value_error', loc: ['body', 'contact', 'email'], msg: sentence },
    { type: 'missing', loc: ['body', 'title'], msg: sentence },
    { type: 'new_type', loc: ['body', 'other'], msg: sentence },
  ]
  const failure = new Failure(422, { detail })
  assert.equal(failure.message, text.failure.fields)
  assert.deepEqual(failure.fields, {
    name: 'Too long. Use at most 100 characters.',
    'contact.email': text.problems.email,
    title: text.problems.missing,
    other: `${sentence}.`,
  })
})
