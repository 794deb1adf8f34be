import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getSchema } from '@tiptap/core'
import fc from 'fast-check'
import { renderArticle } from '../../src/knowledge/render.ts'
import { findHtml, parseMarkdown, readMarkdown } from '../../web/dashboard/rich-text/read-markdown.ts'
import { articleExtensions } from '../../web/dashboard/rich-text/schema.ts'
import { writeMarkdown } from '../../web/dashboard/rich-text/write-markdown.ts'
import { block, marked, textOf, visibleIn } from '../markdown-texts.ts'

/** Articles lose nothing in the editor. */

const schema = getSchema(articleExtensions())

const shown = (markdown: string): string => visibleIn(renderArticle(markdown).content_html)
const rewrite = (markdown: string): string => writeMarkdown(parseMarkdown(schema, markdown))

const constructs = [
  ...['# One', '#### Four', '###### Six #', 'Title\n===', 'Two\nlines\n---', 'A\\\nB\n==='],
  ...['soft\nbreak', 'hard\\\nbreak', 'hard  \nbreak', 'ends with \\\\\\\nbreak', '**a\nb** c'],
  ...[
    '[other](/help/acme/en/articles/other)',
    '[below](#section)',
    '[file](guide.md)',
    '[ref]\n\n[ref]: /a "T"',
  ],
  ...[
    '![A \\[big\\] bell](/api/media/0198c0de-0000-7000-8000-000000000001)',
    '![**a** b](/p.png "T\\"itle")',
  ],
  ...[
    '![](https://x.test/a_\\(b.png)',
    '[![a](/a.png)](https://x.test)',
    '![a](<a b.png>)',
    '![a][ref]\n\n[ref]: /a.png',
  ],
  ...[
    'a | b\n--|:-:\n1 \\| 2 | `x`\n| only |',
    '| a |\n| - |',
    '| ![a](/a.png) | [b](/b) |\n|---|---|\n| **c** | |',
  ],
  ...[
    '- one\n\n  two\n- three',
    '* [ ] open\n* [x] done',
    '1) a\n2) b\n\n1. c',
    '-\n- b',
    '> - a\n>   1. b\n>\n> c',
  ],
  ...[
    '```js\n<b>\n```',
    '~~~\n```\n~~~',
    '    code\n\n    more',
    '`` a`b ``',
    '***',
    '&copy; &lt;b&gt; \\<b>',
  ],
  ...[
    '~~old~~',
    '**bold***italic*',
    '<https://x.test>',
    'https://x.test/a_b_c',
    'ann@x.test',
    '2 \\* 3 \\_a\\_ \\# 1\\.',
  ],
]

const inArticles = fc.oneof(
  block,
  fc.constantFrom(...constructs.filter(one => !one.includes('[ref]'))),
  fc.tuple(marked, fc.constantFrom('\\\n', '  \n', '\n'), marked).map(all => all.join('')),
)

test('every construct of an article looks the same after the editor has written it', () => {
  for (const one of constructs) assert.equal(shown(rewrite(one)), shown(one), one)
})

test('an article that is written again looks the same in the help centre', () => {
  fc.assert(
    fc.property(textOf(inArticles), one => {
      fc.pre(findHtml(one) === null)
      assert.equal(shown(rewrite(one)), shown(one))
    }),
    { numRuns: 300 },
  )
})

test('parts of an article that are not edited stay exactly as they were', () => {
  fc.assert(
    fc.property(textOf(inArticles), one => {
      const doc = readMarkdown(schema, one)
      // A blank text becomes empty.
      if (one.trim() !== '' && doc.childCount > 0 && findHtml(one) === null && !/^\s*\[.*\]:/m.test(one))
        assert.equal(writeMarkdown(doc), one)
    }),
    { numRuns: 300 },
  )
})

test('typed characters never become HTML, and are saved as typed', () => {
  for (const typed of [
    '<b>bold</b>',
    '<details>',
    'a <!-- b --> c',
    '</p>',
    '3 < 4 > 2',
    '<https://x.test',
    '&lt;',
    '<div>\nx',
  ]) {
    const lines = typed.split('\n').map(line => schema.text(line))
    const content = lines.flatMap((line, at) => (at > 0 ? [schema.node('hardBreak'), line] : [line]))
    const written = writeMarkdown(schema.node('doc', null, schema.node('paragraph', null, content)))
    assert.equal(findHtml(written), null, written)
    assert.equal(renderArticle(written).content_text, typed)
  }
})

test('HTML, which the editor cannot show, is found in an article', () => {
  const found = [
    '<details>\n<summary>More</summary>\n</details>',
    'a <kbd class="x">b</kbd>',
    '- x\n\n  <br>',
    'a <!-- b -->',
  ]
  assert.deepEqual(found.map(findHtml), ['<details>', '<kbd>', '<br>', '<!-- -->'])
  for (const other of ['`<b>`', '```\n<b>\n```', '\\<b>', '3 < 4', '<https://x.test>', '    <b>'])
    assert.equal(findHtml(other), null, other)
})
