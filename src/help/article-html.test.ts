import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listHeadings, renderArticleHtml } from './article-html.ts'

const set = (html: string) => renderArticleHtml(html, 'Title', 'Table')

test('a title at the beginning of the text is not shown twice', () => {
  assert.equal(set('<h1 id="title">Title</h1>\n<p>Text</p>'), '<p>Text</p>')
})

test('the page keeps its only h1: others go down a level, and what is below them too', () => {
  assert.equal(
    set('<h1 id="a">A</h1><h2 id="b">B</h2><h6 id="c">C</h6>'),
    '<h2 id="a">A</h2><h3 id="b">B</h3><h6 id="c">C</h6>',
  )
  assert.equal(set('<h2 id="b">B</h2>'), '<h2 id="b">B</h2>')
})

test('tables and code scroll by keyboard, pictures load late', () => {
  assert.match(
    set('<table><tr></tr></table>'),
    /^<div class="scroll" role="region" tabindex="0" aria-label="Table"><table>.*<\/table><\/div>$/,
  )
  assert.equal(set('<pre><code>x</code></pre>'), '<pre tabindex="0"><code>x</code></pre>')
  assert.equal(set('<img src="/a" />'), '<img loading="lazy" decoding="async" src="/a" />')
})

test('the headings of two levels make the contents, by their words', () => {
  const headings = listHeadings(
    '<h2 id="a">A &amp; <em>B</em></h2><h3 id="c">C</h3><h4 id="d">D</h4><h2>no id</h2>',
  )
  assert.deepEqual(headings, [
    { level: 2, id: 'a', text: 'A & B' },
    { level: 3, id: 'c', text: 'C' },
  ])
})

test('the contents of a long text list its first hundred headings', () => {
  const heading = (at: number) => `<h2 id="h${at}">H${at}</h2><h4 id="deep${at}">Deep</h4>`
  const headings = listHeadings(Array.from({ length: 30_000 }, (_, at) => heading(at)).join(''))
  assert.deepEqual([headings.length, headings[99]?.id], [100, 'h99'])
})
