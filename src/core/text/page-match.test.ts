import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPageOf } from './page-match.ts'

const page = 'https://www.Shop.example/cart/pay?step=2#card'

test('an address contains a text anywhere, in upper or lower case', () => {
  const holds = (address: string) => isPageOf({ match: 'contains', address }, page)
  assert.deepEqual(['/PAY', 'step=2', '#card', 'shop', 'basket'].map(holds), [true, true, true, true, false])
})

test('an address begins with a whole address, one without its scheme, or a path', () => {
  const begins = (address: string) => isPageOf({ match: 'begins_with', address }, page)
  assert.deepEqual(
    [
      'https://shop.example/cart',
      'http://www.shop.example',
      'shop.example/cart/pay',
      '/cart',
      ' /CART/ ',
    ].map(begins),
    [true, true, true, true, true],
  )
  assert.deepEqual(['/pay', 'cart', 'https://other.example'].map(begins), [false, false, false])
  assert.equal(isPageOf({ match: 'begins_with', address: '/' }, 'https://shop.example'), false)
})
