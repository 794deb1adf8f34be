import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PageProblem, readPage } from './page.ts'

const read = (content: string, front = '') =>
  readPage('a.md', Buffer.from(`---\n${front}\n---\n${content}`), 'en')

test('a page without a title uses its first heading as the title', () => {
  for (const [content, title] of [
    ['# Hello\n\nText', 'Hello'],
    ['\n\n#   Hello #  \nText', 'Hello'],
    ['# C#\nText', 'C#'],
    ['# One # two ###\nText', 'One # two'],
  ] as const) {
    const page = read(content, 'tags: [a]')
    assert.deepEqual([page.title, page.markdown], [title, 'Text'])
  }
  for (const content of ['#\nText', '#  \nText', '# #\nText', '## Hello', 'Text'])
    assert.throws(() => read(content, 'tags: [a]'), /has no title/, content)
})

test('the longest heading is parsed in linear time, and a longer text is refused before parsing', () => {
  // With a regular expression that backtracks at each character, this would take minutes.
  const signs = `# a${' #'.repeat(65_000)}`
  assert.equal(read(`${signs}x\nText`, 'title: A').markdown.length, signs.length + 6)
  assert.throws(() => read(`# ${' '.repeat(400_000)}x`, 'title: A'), PageProblem)
})
