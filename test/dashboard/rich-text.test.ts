import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getSchema } from '@tiptap/core'
import fc from 'fast-check'
import { renderContent } from '../../src/messages/messages.ts'
import { parseMarkdown, readMarkdown } from '../../web/dashboard/rich-text/read-markdown.ts'
import { messageExtensions } from '../../web/dashboard/rich-text/schema.ts'
import { writeMarkdown } from '../../web/dashboard/rich-text/write-markdown.ts'
import { prose, text, visibleIn } from '../markdown-texts.ts'

const schema = getSchema(messageExtensions)

const shown = (markdown: string): string => visibleIn(renderContent(markdown, 'markdown'))

test('text that nobody edits stays exactly as it was', () => {
  fc.assert(
    fc.property(fc.oneof(text, prose, fc.string({ unit: 'grapheme' })), one => {
      const doc = readMarkdown(schema, one)
      // Links with a definition elsewhere are written at their place. A blank text becomes empty.
      if (one.trim() !== '' && doc.childCount > 0 && !/^\s*\[.*\]:/m.test(one))
        assert.equal(writeMarkdown(doc), one)
    }),
    { numRuns: 500 },
  )
})

test('text that is written again looks the same on the server', () => {
  fc.assert(
    fc.property(text, one => {
      assert.equal(shown(writeMarkdown(parseMarkdown(schema, one))), shown(one))
    }),
    { numRuns: 300 },
  )
})

test('Markdown characters that a person types are sent as typed', () => {
  fc.assert(
    fc.property(fc.array(prose, { minLength: 1, maxLength: 3 }), lines => {
      const content = lines.flatMap((one, at) => [
        ...(at > 0 ? [schema.node('hardBreak')] : []),
        schema.text(one),
      ])
      const written = writeMarkdown(schema.node('doc', null, schema.node('paragraph', null, content)))
      const html = renderContent(written, 'markdown')
      const seen = html
        .replaceAll(/<br \/>\n?/g, '\n')
        .replaceAll(/<[^>]*>/g, '')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&amp;', '&')
      assert.equal(seen.trim(), lines.join('\n').trim())
      assert.match(html, /^<p>/)
    }),
    { numRuns: 500 },
  )
})
