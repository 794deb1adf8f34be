import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html, json, trusted } from './html.ts'

test('every value in a template is escaped', () => {
  const { text } = html`<p title="${`"'`}">${'<b>&'}${7}</p>`
  assert.equal(text, '<p title="&quot;&#39;">&lt;b&gt;&amp;7</p>')
})

test('nested templates and lists of templates are not escaped again', () => {
  assert.equal(
    html`<ul>${['a', '<'].map(one => html`<li>${one}</li>`)}</ul>`.text,
    '<ul><li>a</li><li>&lt;</li></ul>',
  )
  assert.equal(html`${trusted('<mark>')}`.text, '<mark>')
})

test('null, undefined and false print nothing', () => {
  assert.equal(html`${null}${undefined}${false}${0}${''}`.text, '0')
})

test('JSON cannot end the script element that contains it', () => {
  const value = { name: '</script><!--\u2028&' }
  assert.doesNotMatch(json(value).text, /[<>&\u2028]/)
  assert.deepEqual(JSON.parse(json(value).text), value)
})
