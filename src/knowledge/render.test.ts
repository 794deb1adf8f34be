import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxArticleLength, renderArticle } from './render.ts'

const textOf = (markdown: string) => renderArticle(markdown).content_text

test('the plain text of an article has a line for each block, without surrounding spaces', () => {
  assert.equal(
    textOf('# One\n\n  Two &amp; *three*  \n\n\n- four\n- `five`\n'),
    'One\nTwo & three\nfour\nfive',
  )
})

test('spaces inside a line are kept', () => {
  const line = `a${' '.repeat(maxArticleLength - 2)}b`
  assert.equal(textOf(line), line)
})
