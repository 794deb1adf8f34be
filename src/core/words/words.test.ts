import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fold } from './fold.ts'
import { askedPhones, phoneLexemes, phoneQuestions, readPhones } from './phones.ts'
import { distance, forgiven, keyOf, remaindersOf, wantedRemainders } from './spelling.ts'
import { isStopword, stemmedLanguage, stemmedLanguages, stemOf } from './stem.ts'
import { readTokens } from './tokens.ts'
import { printVector } from './vector.ts'

const words = (text: string) => readTokens(text).map(({ word }) => word)

const folded: [text: string, as: string, because: string][] = [
  ['MÜLLERSTRASSE', 'mullerstrasse', 'capitals and umlauts'],
  ['Müllerstraße', 'mullerstrasse', 'ß is ss'],
  ['Cafe\u0301', 'cafe', 'macOS writes an accent as a separate character'],
  ['İstanbul ISTANBUL ıstanbul', 'istanbul istanbul istanbul', 'Turkish has two letters i'],
  ['Ёлка', 'елка', 'people write е for ё'],
  ['Łódź Ærø Þór', 'lodz aero thor', 'letters without a Unicode decomposition'],
  ['ｶﾞﾁｬ ＡＢＣ', 'ガチャ abc', 'half and full width'],
  ['أُحِبُّ', 'احب', 'vowel points and hamza of Arabic'],
  ['שָׁלוֹם', 'שלום', 'vowel points of Hebrew'],
  ['ज़रूरत', 'जरूरत', 'the nukta is often left out'],
  ['Ὀδυσσεύς', 'οδυσσευσ', 'both forms of sigma are the same'],
  ['٤٧١١ ४७११', '4711 4711', 'digits of other scripts'],
  ['so\u00adft', 'soft', 'a soft hyphen is ignored'],
]
test('different spellings of a word are folded to the same text', () => {
  for (const [text, as, because] of folded) assert.equal(fold(text), as, because)
})

test('folding a folded text does not change it', () => {
  for (const [text] of folded) assert.equal(fold(fold(text)), fold(text))
})

test('every character that is not a letter or a digit separates words', () => {
  const signs = [
    '“',
    '”',
    '’',
    '—',
    '–',
    '…',
    '\u00a0',
    '。',
    '،',
    '（',
    '•',
    '😀',
    '\u200b',
    '\u200c',
    '¿',
    'ʼ',
    '_',
    '/',
    '<',
    '\0',
  ]
  for (const sign of signs)
    assert.deepEqual(words(`before${sign}after`).slice(0, 2), ['before', 'after'], JSON.stringify(sign))
})

test('invisible marks of direction and joining do not separate words', () => {
  assert.deepEqual(words('\u200fשלום\u200f'), ['שלום'])
  assert.deepEqual(words('re\u200dfund'), ['refund'])
})

test('text without spaces is read as pairs of characters, followed by the last character alone', () => {
  assert.deepEqual(words('我的订单'), ['我的', '的订', '订单', '单'])
  assert.deepEqual(words('คืนเงิน'), ['คืน', 'นเ', 'เงิ', 'งิน', 'น'])
  assert.deepEqual(words('주문 ok'), ['주문', '문', 'ok'])
})

test('three or more adjacent letters or digits within a word are indexed too', () => {
  assert.deepEqual(words('INV2024 A4 3f2b'), ['inv2024', 'inv', '2024', 'a4', '3f2b'])
})

test('words joined by a hyphen or an apostrophe are indexed as one word too', () => {
  assert.deepEqual(words('an e-mail'), ['an', 'e', 'mail', 'email'])
  assert.deepEqual(words('don’t'), ['don', 't', 'dont'])
  assert.deepEqual(words('a - b, c'), ['a', 'b', 'c'])
  assert.ok(!words('1-2-3-4-5').includes('12345'))
})

test('the place of a word is counted in UTF-16 units of the original text', () => {
  const text = '😀 the “Müller” said'
  const found = readTokens(text).find(({ word }) => word === 'muller')!
  assert.equal(text.slice(found.start, found.end), 'Müller')
})

const lexemesOf = (text: string): string[] => readPhones(text).flatMap(phone => phoneLexemes(phone))

test('a phone number is found with or without its country code and leading zero', () => {
  const lexemes = lexemesOf('Call +49 (0)30 123-4567 now')
  for (const asked of ['0301234567', '301234567', '1234567', '+49 30 1234567'])
    assert.ok(
      phoneQuestions(asked.replaceAll(/[^0-9]/g, '')).some(one => lexemes.includes(one)),
      asked,
    )
  for (const asked of ['0311234567', '2234567', '1234568'])
    assert.ok(!phoneQuestions(asked).some(one => lexemes.includes(one)), asked)
})

test('a national number is found by the number with a country code', () => {
  const lexemes = lexemesOf('0301234567')
  assert.ok(phoneQuestions('49301234567').some(one => lexemes.includes(one)))
})

test('a Russian number is found with prefix 7 or 8', () => {
  for (const [written, asked] of [
    ['79165554433', '89165554433'],
    ['89165554433', '79165554433'],
  ] as const)
    assert.ok(
      phoneQuestions(asked).some(one => lexemesOf(written).includes(one)),
      asked,
    )
  assert.ok(!phoneQuestions('89165554433').some(one => lexemesOf('79165554434').includes(one)))
})

/** A text, and a number that is found in it however its digits are grouped. */
const beside: [text: string, asked: string][] = [
  ['Call 030 1234567 / 0171 7654321', '0301234567'],
  ['Call 030 1234567 / 0171 7654321', '+49 171 7654321'],
  ['Bitte anrufen: 0170 9234567 (10-12 Uhr)', '01709234567'],
  ['Bitte anrufen: 0170 9234567 (10-12 Uhr)', '+491709234567'],
  ['Call 0171 9234567 5 times', '01719234567'],
  ['Meine Nr. 0173 9234567 - 12345 Berlin', '01739234567'],
  ['0177 9234567 0178 9234567', '01779234567'],
  ['0177 9234567 0178 9234567', '01789234567'],
  ['Call 2026-03-01 0179 9234567', '01799234567'],
  ['電話は０９０−１２３４−５６７８です', '09012345678'],
  ['رقمي ٠٥٠١٢٣٤٥٦٧', '501234567'],
  ['0170–1234–567', '01701234567'],
  ['+44 (0)20 7946 0958', '02079460958'],
]
test('a phone number is found next to other digits, in any script and with any dash', () => {
  for (const [text, asked] of beside) {
    const questions = askedPhones(asked).flatMap(({ digits }) => phoneQuestions(digits))
    assert.ok(
      readPhones(text).some(phone => phoneLexemes(phone).some(one => questions.includes(one))),
      `${text} ${asked}`,
    )
  }
})

test('every supported language has a stemmer and stop words, and other codes are not supported', () => {
  assert.ok(stemmedLanguages.length > 20)
  for (const language of stemmedLanguages) {
    assert.equal(typeof stemOf('testing', language), 'string', language)
    assert.equal(isStopword('xyzzy', language), false, language)
  }
  for (const other of ['sl', 'constructor', '__proto__', 'xx', '']) assert.equal(stemmedLanguage(other), null)
})

const long = ['\u0301\u0323'.repeat(30_000), `ก${'ั'.repeat(30_000)}`, 'x1'.repeat(30_000), 'ñ'.repeat(60_000)]
test('no lexeme is too long for Postgres, in any language', () => {
  for (const text of long)
    for (const locale of ['en', 'de', 'uk', 'sr'])
      for (const lexeme of printVector({ text, locale }).split("' "))
        assert.ok(Buffer.byteLength(lexeme.split("':")[0]!) < 600, `${locale} ${text.slice(0, 4)}`)
})

const errors: [word: string, other: string, count: number][] = [
  ['refund', 'refund', 0],
  ['refund', 'refnud', 1],
  ['refund', 'refnd', 1],
  ['refund', 'reefund', 1],
  ['refund', 'rafund', 1],
  ['maintenance', 'maintainance', 2],
  ['refund', 'defend', 2],
]
test('the edit distance counts letters that are inserted, deleted, replaced or swapped', () => {
  for (const [word, other, count] of errors) assert.equal(distance(word, other), count, other)
})

test('a word with one typing error shares a remainder with the correct word', () => {
  const long = 'reimbursement'
  for (const word of ['cafe', 'refund', 'delivery', 'invoicing', long]) {
    const letters = [...word]
    const near = letters.flatMap((_, at) => [
      letters.toSpliced(at, 1).join(''),
      letters.toSpliced(at, 1, 'x').join(''),
      letters.toSpliced(at, 0, 'x').join(''),
      ...(at > 0 ? [letters.toSpliced(at - 1, 2, letters[at]!, letters[at - 1]!).join('')] : []),
    ])
    const keys = remaindersOf(word)
    for (const typed of near.filter(one => forgiven(one) > 0))
      assert.ok(
        wantedRemainders(typed).some(key => keys.includes(key)),
        `${word} ${typed}`,
      )
  }
})

test('short words are not corrected', () => {
  assert.deepEqual([forgiven('cat'), wantedRemainders('cat')], [0, []])
})

test('the key of a word differs in each project', () => {
  const [one, other] = [crypto.randomUUID(), crypto.randomUUID()]
  assert.notEqual(keyOf(one, '1refund'), keyOf(other, '1refund'))
  assert.equal(keyOf(one, '1refund'), keyOf(one, '1refund'))
  assert.ok(Number.isSafeInteger(keyOf(one, '1refund')))
})

test('the index entry of any text has a maximum size', () => {
  for (const text of [
    '我'.repeat(65_536),
    'a '.repeat(32_768),
    Array.from({ length: 20_000 }, (_, n) => `w${n}`).join(' '),
  ])
    assert.ok(printVector({ text }).length < 1_000_000, text.slice(0, 10))
})

test('a phrase does not extend from one text into the next', () => {
  assert.equal(printVector({ text: 'late' }, { text: 'refund' }), "'late':1 'refund':12")
})
