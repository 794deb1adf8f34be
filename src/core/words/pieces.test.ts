import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Piece, readPieces, toPlain } from './pieces.ts'

const piece = (text: string, more: Partial<Piece> = {}): Piece => ({
  name: null,
  text,
  isPhrase: false,
  isExcluded: false,
  ...more,
})
const phrase = (text: string, more: Partial<Piece> = {}) => piece(text, { isPhrase: true, ...more })
const not = { isExcluded: true }

const cases: [rule: string, q: string, pieces: Piece[]][] = [
  [
    'blanks of every kind divide words',
    ' card\trefused\u00a0now ',
    ['card', 'refused', 'now'].map(t => piece(t)),
  ],
  ['nothing has no pieces', ' \n ', []],
  ['a phrase may hold blanks', 'a "late delivery" b', [piece('a'), phrase('late delivery'), piece('b')]],
  ['curved quotes enclose a phrase', '“late delivery”', [phrase('late delivery')]],
  ['low quotes enclose a phrase', '„späte Lieferung“ „a b”', [phrase('späte Lieferung'), phrase('a b')]],
  ['angle quotes enclose a phrase', '«livraison tardive»', [phrase('livraison tardive')]],
  ['a quote of one kind does not close another', '"a » b" «a " b»', [phrase('a » b'), phrase('a " b')]],
  ['an unclosed quote ends with the text', 'x "late delivery ', [piece('x'), phrase('late delivery')]],
  ['quotes around nothing are no piece', '"" a -" " «', [piece('a')]],
  ['a quote within a word is part of it', '5" o"clock', [piece('5"'), piece('o"clock')]],
  ['what follows a closed quote is another piece', '"a b"c', [phrase('a b'), piece('c')]],
  ['a sign before a word excludes it', '-refund', [piece('refund', not)]],
  ['a sign before a phrase excludes it', '-"late delivery"', [phrase('late delivery', not)]],
  ['a sign before a name excludes it', '-tag:vip', [piece('vip', { name: 'tag', ...not })]],
  ['a lone sign is a word', 'a - b -', [piece('a'), piece('-'), piece('b'), piece('-')]],
  ['a sign within a word is part of it', 'half-finished', [piece('half-finished')]],
  ['two signs exclude nothing', '--verbose', [piece('--verbose')]],
  ['a name has a value', 'tag:vip', [piece('vip', { name: 'tag' })]],
  ['a name has a phrase', 'tag:"big customer" x', [phrase('big customer', { name: 'tag' }), piece('x')]],
  ['a name has an unclosed phrase', 'from:„Ann Lee', [phrase('Ann Lee', { name: 'from' })]],
  ['a name may begin with a capital letter', 'From:Ann', [piece('Ann', { name: 'from' })]],
  ['the first colon ends a name', 'before:10:30', [piece('10:30', { name: 'before' })]],
  ['a name without a value is plain text', 'tag: vip', [piece('tag:'), piece('vip')]],
  ['a name with empty quotes is plain text', 'tag:""', [piece('tag:""')]],
  ['an address is plain text', 'https://a.example/b:c', [piece('https://a.example/b:c')]],
  ['a time is plain text', '12:30', [piece('12:30')]],
  ['other letters than a to z are no name', 'größe:42 a_b:c', [piece('größe:42'), piece('a_b:c')]],
  ['more than 20 letters are no name', `${'a'.repeat(21)}:b`, [piece(`${'a'.repeat(21)}:b`)]],
  ['a number is a word', '#12', [piece('#12')]],
]

for (const [rule, q, pieces] of cases) test(rule, () => assert.deepEqual(readPieces(q), pieces))

test('a piece with a name becomes plain text with it', () => {
  assert.deepEqual(readPieces('foo:bar -foo:"a b" c').map(toPlain), [
    piece('foo:bar'),
    phrase('foo:a b', not),
    piece('c'),
  ])
})

test('a text is read in linear time, whatever stands in it', { timeout: 20_000 }, () => {
  const length = 200_000
  for (const part of ['"', '-', 'a', 'a:', '«', '„ ', '-"', 'a:"', ' '])
    assert.ok(readPieces(part.repeat(length)).length <= length * part.length, part)
})
