import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mark } from '../../web/dashboard/rich-text/marking.ts'
import type { Mark } from '../../web/dashboard/rich-text/marks.ts'

/** Applies a mark to a text in which `|` is the cursor, or two of them enclose the selection. */
function press(text: string, kind: Mark): string {
  const value = text.replaceAll('|', '')
  const from = text.indexOf('|')
  const to = Math.max(from, text.lastIndexOf('|') - 1)
  const { at, words, select } = mark({ value, from, to }, kind)
  const result = value.slice(0, at[0]) + words + value.slice(at[1])
  const [begin, end] = select
  const selected = begin === end ? '|' : `|${result.slice(begin, end)}|`
  return result.slice(0, begin) + selected + result.slice(end)
}

const cases: [title: string, kind: Mark, before: string, after: string][] = [
  ['starts a mark if nothing is selected', 'bold', 'a |', 'a **|**'],
  ['ends the mark after a typed word', 'bold', 'a **word|**', 'a **word**|'],
  ['removes an empty mark', 'bold', 'a **|**', 'a |'],
  ['starts a mark before another', 'bold', '|**word**', '**|****word**'],
  ['starts a mark after another', 'bold', '**word** |', '**word** **|**'],
  ['ignores marks on other lines', 'italic', '* one\n|* two', '* one\n*|** two'],
  ['starts a mark inside bold text', 'italic', '**a |**', '**a *|***'],
  ['ends a mark inside bold text', 'italic', '**a *b|***', '**a *b*|**'],
  ['ends a mark inside code', 'code', '`npm ci|`', '`npm ci`|'],
  ['surrounds the selection', 'bold', 'a |word| b', 'a **|word|** b'],
  ['removes the mark around the selection', 'bold', 'a **|word|** b', 'a |word| b'],
  ['excludes spaces at the ends of the selection', 'bold', 'a |word |b', 'a **|word|** b'],
  ['surrounds each selected line', 'italic', '|a\n\nb |', '|*a*\n\n*b*| '],
  ['selects a placeholder for the URL', 'link', 'see |this|', 'see [this](|url|)'],
  ['puts the cursor into the text of an empty link', 'link', 'see |', 'see [|](url)'],
  ['prefixes each selected line', 'list', 'o|ne\ntw|o', '- o|ne\n- tw|o'],
  ['removes the prefix of each selected line', 'list', '- o|ne\n- tw|o', 'o|ne\ntw|o'],
]

for (const [title, kind, before, after] of cases)
  test(`${kind} ${title}: ${JSON.stringify(before)}`, () => assert.equal(press(before, kind), after))
