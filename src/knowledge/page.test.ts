import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PageProblem, readPage } from './page.ts'

const read = (content: string, front = '') =>
  readPage('a.md', Buffer.from(`---\n${front}\n---\n${content}`), 'en')

test('a page without a title is called what its first heading says', () => {
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

test('a heading as long as a file is read in one go, and a longer text is refused before', () => {
  // Were each of its signs a place to begin anew, this would take minutes.
  const signs = `# a${' #'.repeat(65_000)}`
  assert.equal(read(`${signs}x\nText`, 'title: A').markdown.length, signs.length + 6)
  assert.throws(() => read(`# ${' '.repeat(400_000)}x`, 'title: A'), PageProblem)
})
