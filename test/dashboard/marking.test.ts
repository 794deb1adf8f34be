import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Mark, mark } from '../../web/dashboard/messages/marking.ts'

/** A text in which `|` is the cursor, or two of them enclose what is selected, after a mark was asked for. */
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
  ['begins where nothing is selected', 'bold', 'a |', 'a **|**'],
  ['ends after the word that was typed', 'bold', 'a **word|**', 'a **word**|'],
  ['is taken back where it encloses nothing', 'bold', 'a **|**', 'a |'],
  ['begins again before another', 'bold', '|**word**', '**|****word**'],
  ['begins again after another', 'bold', '**word** |', '**word** **|**'],
  ['counts on its own line only', 'italic', '* one\n|* two', '* one\n*|** two'],
  ['in bold begins', 'italic', '**a |**', '**a *|***'],
  ['in bold ends', 'italic', '**a *b|***', '**a *b*|**'],
  ['in code ends', 'code', '`npm ci|`', '`npm ci`|'],
  ['goes around what is selected', 'bold', 'a |word| b', 'a **|word|** b'],
  ['is taken from what is selected', 'bold', 'a **|word|** b', 'a |word| b'],
  ['leaves out the blanks at the ends', 'bold', 'a |word |b', 'a **|word|** b'],
  ['goes around each line by itself', 'italic', '|a\n\nb |', '|*a*\n\n*b*| '],
  ['asks for an address', 'link', 'see |this|', 'see [this](|url|)'],
  ['asks for words', 'link', 'see |', 'see [|](url)'],
  ['goes before each line that is touched', 'list', 'o|ne\ntw|o', '- o|ne\n- tw|o'],
  ['is taken from each line', 'list', '- o|ne\n- tw|o', 'o|ne\ntw|o'],
]

for (const [title, kind, before, after] of cases)
  test(`${kind} ${title}: ${JSON.stringify(before)}`, () => assert.equal(press(before, kind), after))
