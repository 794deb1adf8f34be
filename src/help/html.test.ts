import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html, json, trusted } from './html.ts'

test('whatever is put into a template is escaped', () => {
  const { text } = html`<p title="${`"'`}">${'<b>&'}${7}</p>`
  assert.equal(text, '<p title="&quot;&#39;">&lt;b&gt;&amp;7</p>')
})

test('templates inside templates, and lists of them, stay what they are', () => {
  assert.equal(
    html`<ul>${['a', '<'].map(one => html`<li>${one}</li>`)}</ul>`.text,
    '<ul><li>a</li><li>&lt;</li></ul>',
  )
  assert.equal(html`${trusted('<mark>')}`.text, '<mark>')
})

test('nothing is printed for null, undefined and false', () => {
  assert.equal(html`${null}${undefined}${false}${0}${''}`.text, '0')
})

test('JSON cannot end the script it stands in', () => {
  const value = { name: '</script><!--\u2028&' }
  assert.doesNotMatch(json(value).text, /[<>&\u2028]/)
  assert.deepEqual(JSON.parse(json(value).text), value)
})
