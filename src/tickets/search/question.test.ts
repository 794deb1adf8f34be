import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readQuestion } from './question.ts'

/** The question on one line: operators as `name=values`, then words, phrases in quotes, excluded ones with `-`, and the number. */
function read(q: string, isPerson = false): string {
  const { words, excluded, operators, number } = readQuestion(q, isPerson)
  return [
    ...operators.map(({ name, values, isExcluded }) => `${isExcluded ? '-' : ''}${name}=${values.join('|')}`),
    ...words.map(({ text, isPhrase }) => (isPhrase ? `"${text}"` : text)),
    ...excluded.map(({ text, isPhrase }) => (isPhrase ? `-"${text}"` : `-${text}`)),
    ...(number === null ? [] : [`number ${number}`]),
  ].join(' ')
}

const cases: [rule: string, q: string, question: string][] = [
  ['words and operators can be in any order', 'card status:open refused', 'status=open card refused'],
  ['several statuses are separated by commas', 'status:open,pending', 'status=open|pending'],
  [
    'values of a fixed set are case-insensitive',
    'status:OPEN priority:High is:Spam',
    'status=open priority=high is=spam',
  ],
  ['an unknown status is plain text', 'status:nonsense status:open,no', 'status:nonsense status:open,no'],
  ['an unknown priority is plain text', 'priority:top', 'priority:top'],
  ['a channel can be any word', 'channel:Email channel:x', 'channel=email channel=x'],
  ['a tag keeps its spelling', 'tag:VIP tag:"big customer"', 'tag=VIP tag=big customer'],
  ['several tags are separated by commas', 'tag:a,b, tag:"a,b"', 'tag=a|b tag=a,b'],
  ['commas alone are plain text', 'tag:, status:,', 'tag:, status:,'],
  [
    'a state is a single value',
    'is:snoozed is:merged is:snoozed,merged',
    'is=snoozed is=merged is:snoozed,merged',
  ],
  ['is: also takes a status', 'is:Closed -is:on_hold', 'status=closed -status=on_hold'],
  ['an unknown state is plain text', 'is:nice', 'is:nice'],
  [
    'from: takes an address or a name',
    'from:ann@example.com from:"Ann Lee"',
    'from=ann@example.com from=Ann Lee',
  ],
  ['a contact without letters and digits is plain text', 'from:...', 'from:...'],
  ['a day begins at midnight in UTC', 'after:2026-03-01', 'after=2026-03-01T00:00:00.000000'],
  ['a month means its first day', 'before:2026-03', 'before=2026-03-01T00:00:00.000000'],
  ['a year means its first day', 'before:2026', 'before=2026-01-01T00:00:00.000000'],
  ['a time may have an offset', 'after:2026-03-01T10:00:00+02:00', 'after=2026-03-01T08:00:00.000000'],
  [
    'a date that does not exist is plain text',
    'before:2026-02-30 after:2026-13 after:x',
    'before:2026-02-30 after:2026-13 after:x',
  ],
  ['has: takes several words for files', 'has:file has:files has:attachment', 'has=file has=file has=file'],
  ['has: with another word is plain text', 'has:money', 'has:money'],
  ['an unknown name is plain text', 'foo:bar constructor:x -foo:"a b"', 'foo:bar constructor:x -"foo:a b"'],
  [
    'operators are excluded',
    '-tag:vip -status:closed -from:ann -has:file',
    '-tag=vip -status=closed -from=ann -has=file',
  ],
  ['words and phrases are excluded', '-refund -"late delivery" card', 'card -refund -"late delivery"'],
  ['an excluded operator with an unknown value is an excluded word', '-is:nice', '-is:nice'],
  ['a number sign refers to a ticket and is a word too', '#12 card', '#12 card number 12'],
  ['only the first ticket number counts', '#12 #13', '#12 #13 number 12'],
  [
    'only a number after # refers to a ticket',
    '12 #1a #0 #012 -#12 "#12" #1234567890123456',
    '12 #1a #0 #012 "#12" #1234567890123456 -#12',
  ],
]

for (const [rule, q, question] of cases) test(rule, () => assert.equal(read(q), question))

test('is:mine and is:unread are plain text for an API key', () => {
  assert.equal(read('is:mine -is:unread'), 'is:mine -is:unread')
  assert.equal(read('is:mine -is:unread', true), 'is=mine -is=unread')
})

test('operators after the first 20 are plain text', () => {
  const { operators, words } = readQuestion('tag:a '.repeat(22))
  assert.deepEqual([operators.length, words.map(({ text }) => text)], [20, ['tag:a', 'tag:a']])
})
