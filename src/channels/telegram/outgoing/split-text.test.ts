import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkEntities } from '../../../../test/telegram/entities.ts'
import { renderContent } from '../../../messages/messages.ts'
import { toFormattedText } from './html-entities.ts'
import { maxTextLength, splitText } from './split-text.ts'

/** Formatting becomes entities, and long texts are split without breaking any of them. */

const format = (markdown: string) => toFormattedText(renderContent(markdown, 'markdown'))

test('Markdown becomes text with entities', () => {
  assert.deepEqual(format('**bold** and *it*, ~~no~~ `x`'), {
    text: 'bold and it, no x',
    entities: [
      { type: 'bold', offset: 0, length: 4 },
      { type: 'italic', offset: 9, length: 2 },
      { type: 'strikethrough', offset: 13, length: 2 },
      { type: 'code', offset: 16, length: 1 },
    ],
  })
  assert.deepEqual(format('[here](https://a.example/x) or https://b.example'), {
    text: 'here or https://b.example',
    entities: [{ type: 'text_link', offset: 0, length: 4, url: 'https://a.example/x' }],
  })
})

test('blocks become lines', () => {
  assert.equal(
    format('# Title\n\nOne\ntwo\n\n- a\n- b\n\n1. x\n2. y').text,
    'Title\n\nOne\ntwo\n\n• a\n• b\n\n1. x\n2. y',
  )
  const { text, entities } = format('> quoted\n\n```\nlet a  = 1\n```')
  assert.equal(text, 'quoted\n\nlet a  = 1')
  assert.deepEqual(entities, [
    { type: 'blockquote', offset: 0, length: 6 },
    { type: 'pre', offset: 8, length: 10 },
  ])
})

test('offsets count UTF-16 code units', () => {
  assert.deepEqual(format('😀 **fett**').entities, [{ type: 'bold', offset: 3, length: 4 }])
})

test('the cells of a table are separated by lines, and its headings are bold', () => {
  const { text, entities } = format('| Size | Price |\n|---|---|\n| S | 9 |')
  assert.equal(text, 'Size | Price\nS | 9')
  assert.deepEqual(entities, [
    { type: 'bold', offset: 0, length: 4 },
    { type: 'bold', offset: 7, length: 5 },
  ])
})

test('Telegram accepts every result, however deeply the formatting is nested', () => {
  const sources = [
    '> a **b *c* `d`** e\n> > f',
    '**a [b *c*](https://x.example) d**',
    '<b>a<i>b</i></b><u>c</u>',
    '```\n**not bold**\n```',
    '| a | b |\n|---|---|\n| **1** | 2 |',
    '- **a**\n  - *b*\n    - `c`',
  ]
  for (const source of sources) {
    const { text, entities } = format(source)
    checkEntities(text, entities)
  }
  const html = toFormattedText(
    '<p><b>a <b>b</b></b> <a href="javascript:x">c</a></p><blockquote>q<blockquote>r</blockquote></blockquote>',
  )
  checkEntities(html.text, html.entities)
})

const joined = (parts: { text: string }[]): string =>
  parts
    .map(({ text }) => text)
    .join('')
    .replaceAll(/\s/g, '')

test('a long text is split at paragraphs, lines or words, and nothing is lost', () => {
  const paragraph = 'word '.repeat(150).trim()
  const text = Array(12).fill(paragraph).join('\n\n')
  const parts = splitText({ text, entities: [] })
  assert.ok(parts.length >= 3)
  assert.ok(parts.every(part => part.text.length <= maxTextLength && part.text.endsWith('word')))
  assert.equal(joined(parts), text.replaceAll(/\s/g, ''))
})

test('no surrogate pair is split', () => {
  const text = `a${'😀'.repeat(3_000)}`
  const parts = splitText({ text, entities: [] })
  assert.equal(joined(parts), text)
  assert.ok(parts.every(part => part.text.isWellFormed()))
})

test('no entity that fits into a message is split, and a longer one is continued', () => {
  const link = { type: 'text_link' as const, offset: 4_050, length: 100, url: 'https://a.example' }
  const parts = splitText({ text: 'x'.repeat(4_050) + 'y'.repeat(100) + 'z'.repeat(50), entities: [link] })
  assert.deepEqual(
    parts.map(({ entities }) => entities),
    [[], [{ ...link, offset: 0 }]],
  )
  const pre = { type: 'pre' as const, offset: 0, length: 9_000 }
  const long = splitText({ text: 'c'.repeat(9_000), entities: [pre] })
  assert.deepEqual(
    long.map(({ text, entities }) => [text.length, entities[0]!.length]),
    [
      [4096, 4096],
      [4096, 4096],
      [808, 808],
    ],
  )
  for (const part of [...parts, ...long]) checkEntities(part.text, part.entities)
})
