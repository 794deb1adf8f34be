import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textOfHtml } from './html-text.ts'

test('the cells and rows of a table stay apart', () => {
  const rows = [
    ['Lamp', '2', '19 EUR'],
    ['Chair', '1', '99 EUR'],
  ]
  const html = `<p>Order</p><table>${rows.map(cells => `<tr>${cells.map(cell => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table><p>Thanks</p>`
  assert.equal(textOfHtml(html), 'Order\n\nLamp 2 19 EUR\nChair 1 99 EUR\n\nThanks')
})

test('paragraphs inside a cell stay apart', () => {
  const html = '<table><tr><td><p>Hello Ann,</p><p>thanks.</p></td></tr></table>'
  assert.equal(textOfHtml(html), 'Hello Ann,\n\nthanks.')
})
