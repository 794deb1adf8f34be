import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readCurrency, readPositive, readPrice, readSigned, showMoney, toNumber } from './money.ts'

test('amounts are parsed exactly to the hundredth, without floats', () => {
  const known: [string, number][] = [
    ['29', 2900],
    ['29.5', 2950],
    ['0.01', 1],
    ['1.10', 110],
    ['4.35', 435],
    ['1000000000', 100_000_000_000],
    ['0007.70', 770],
  ]
  for (const [text, amount] of known) assert.equal(readPositive(text, 'EUR'), amount, text)
  assert.equal(readPrice('0', 'EUR'), 0)
  assert.equal(readSigned('-4.35', 'EUR'), -435)
  assert.equal(readPositive('500', 'JPY'), 50_000)
})

test('an amount that is negative, zero, too precise, too large or not a number is refused', () => {
  const wrong: [string, string, RegExp][] = [
    ['-1', 'EUR', /more than 0/],
    ['0', 'EUR', /more than 0/],
    ['0.00', 'EUR', /more than 0/],
    ['0.001', 'EUR', /2 decimals/],
    ['29.000', 'EUR', /2 decimals/],
    ['500.5', 'JPY', /no decimals/],
    ['1000000000.01', 'EUR', /at most a billion/],
    ...['', '1,5', '1e3', '0x10', 'NaN', 'Infinity', ' 5', '5.', '.5', '٣'].map(
      (text): [string, string, RegExp] => [text, 'EUR', /number such as/],
    ),
  ]
  for (const [text, currency, expected] of wrong)
    assert.throws(() => readPositive(text, currency), expected, text)
  assert.throws(() => readPrice('-0.01', 'EUR'), /0 or more/)
  assert.throws(() => readSigned('0.00', 'EUR'), /not 0/)
})

test('a currency must be known and have at most two decimals', () => {
  assert.equal(readCurrency('eur'), 'EUR')
  for (const text of ['', 'EU', 'EURO', 'XQZ', 'E1R'])
    assert.throws(() => readCurrency(text), /not the code/, text)
  assert.throws(() => readCurrency('KWD'), /three decimals/)
})

test('a displayed amount and a JSON amount both parse back to the same value', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000_000_000 }), amount => {
      const [shown] = showMoney(amount, 'EUR').split(' ')
      const printed = JSON.stringify(toNumber(amount))
      return readPositive(shown!, 'EUR') === amount && readPositive(printed, 'EUR') === amount
    }),
    { numRuns: 1000 },
  )
})
