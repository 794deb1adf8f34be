import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listHeadings, renderArticleHtml } from './article-html.ts'

const set = (html: string) => renderArticleHtml(html, 'Title', 'Table')

test('removes a heading that repeats the title', () => {
  assert.equal(set('<h1 id="title">Title</h1>\n<p>Text</p>'), '<p>Text</p>')
})

test('lowers all headings by one level if the text contains an h1', () => {
  assert.equal(
    set('<h1 id="a">A</h1><h2 id="b">B</h2><h6 id="c">C</h6>'),
    '<h2 id="a">A</h2><h3 id="b">B</h3><h6 id="c">C</h6>',
  )
  assert.equal(set('<h2 id="b">B</h2>'), '<h2 id="b">B</h2>')
})

test('tables and code can be scrolled by keyboard, and images load lazily', () => {
  assert.match(
    set('<table><tr></tr></table>'),
    /^<div class="scroll" role="region" tabindex="0" aria-label="Table"><table>.*<\/table><\/div>$/,
  )
  assert.equal(set('<pre><code>x</code></pre>'), '<pre tabindex="0"><code>x</code></pre>')
  assert.equal(set('<img src="/a" />'), '<img loading="lazy" decoding="async" src="/a" />')
})

test('the table of contents lists h2 and h3 headings as plain text', () => {
  const headings = listHeadings(
    '<h2 id="a">A &amp; <em>B</em></h2><h3 id="c">C</h3><h4 id="d">D</h4><h2>no id</h2>',
  )
  assert.deepEqual(headings, [
    { level: 2, id: 'a', text: 'A & B' },
    { level: 3, id: 'c', text: 'C' },
  ])
})

test('the table of contents lists at most the first 100 headings', () => {
  const heading = (at: number) => `<h2 id="h${at}">H${at}</h2><h4 id="deep${at}">Deep</h4>`
  const headings = listHeadings(Array.from({ length: 30_000 }, (_, at) => heading(at)).join(''))
  assert.deepEqual([headings.length, headings[99]?.id], [100, 'h99'])
})
