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
    'white space of every kind separates words',
    ' card\trefused\u00a0now ',
    ['card', 'refused', 'now'].map(t => piece(t)),
  ],
  ['an empty text has no pieces', ' \n ', []],
  ['a phrase may contain spaces', 'a "late delivery" b', [piece('a'), phrase('late delivery'), piece('b')]],
  ['curved quotes enclose a phrase', '“late delivery”', [phrase('late delivery')]],
  ['low quotes enclose a phrase', '„späte Lieferung“ „a b”', [phrase('späte Lieferung'), phrase('a b')]],
  ['angle quotes enclose a phrase', '«livraison tardive»', [phrase('livraison tardive')]],
  ['a quote of one kind does not close another', '"a » b" «a " b»', [phrase('a » b'), phrase('a " b')]],
  ['an unclosed quote ends with the text', 'x "late delivery ', [piece('x'), phrase('late delivery')]],
  ['empty quotes are ignored', '"" a -" " «', [piece('a')]],
  ['a quote within a word is part of it', '5" o"clock', [piece('5"'), piece('o"clock')]],
  ['text after a closing quote is another piece', '"a b"c', [phrase('a b'), piece('c')]],
  ['a minus sign before a word excludes it', '-refund', [piece('refund', not)]],
  ['a minus sign before a phrase excludes it', '-"late delivery"', [phrase('late delivery', not)]],
  ['a minus sign before a name excludes it', '-tag:vip', [piece('vip', { name: 'tag', ...not })]],
  ['a lone minus sign is a word', 'a - b -', [piece('a'), piece('-'), piece('b'), piece('-')]],
  ['a hyphen within a word is part of it', 'half-finished', [piece('half-finished')]],
  ['two minus signs exclude nothing', '--verbose', [piece('--verbose')]],
  ['a colon separates a name and its value', 'tag:vip', [piece('vip', { name: 'tag' })]],
  [
    'the value may be a phrase',
    'tag:"big customer" x',
    [phrase('big customer', { name: 'tag' }), piece('x')],
  ],
  ['the value may be an unclosed phrase', 'from:„Ann Lee', [phrase('Ann Lee', { name: 'from' })]],
  ['a name may begin with a capital letter', 'From:Ann', [piece('Ann', { name: 'from' })]],
  ['the first colon ends a name', 'before:10:30', [piece('10:30', { name: 'before' })]],
  ['a name without a value is plain text', 'tag: vip', [piece('tag:'), piece('vip')]],
  ['a name with empty quotes is plain text', 'tag:""', [piece('tag:""')]],
  ['a URL is plain text', 'https://a.example/b:c', [piece('https://a.example/b:c')]],
  ['a time is plain text', '12:30', [piece('12:30')]],
  ['a name has only the letters a to z', 'größe:42 a_b:c', [piece('größe:42'), piece('a_b:c')]],
  ['a name has at most 20 letters', `${'a'.repeat(21)}:b`, [piece(`${'a'.repeat(21)}:b`)]],
  ['a ticket number is a word', '#12', [piece('#12')]],
]

for (const [rule, q, pieces] of cases) test(rule, () => assert.deepEqual(readPieces(q), pieces))

test('a piece with a name becomes plain text that includes the name', () => {
  assert.deepEqual(readPieces('foo:bar -foo:"a b" c').map(toPlain), [
    piece('foo:bar'),
    phrase('foo:a b', not),
    piece('c'),
  ])
})

test('any text is read in linear time', { timeout: 20_000 }, () => {
  const length = 200_000
  for (const part of ['"', '-', 'a', 'a:', '«', '„ ', '-"', 'a:"', ' '])
    assert.ok(readPieces(part.repeat(length)).length <= length * part.length, part)
})
