import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printLine } from './terminal.ts'

const line = (fields: object) =>
  printLine(JSON.stringify({ level: 30, time: '2026-01-15T10:30:00Z', ...fields }))

test('a line contains the time, the level, the message and the details', () => {
  assert.match(line({ msg: 'The database is set up' }), /^\d\d:\d\d:\d\d {2}The database is set up$/)
  assert.match(line({ level: 40, msg: 'Slow', ms: 12, host: 'a' }), / {2}Warning: Slow \(ms: 12, host: a\)$/)
})

test('errors include where they happened, and warnings do not', () => {
  const err = { type: 'Error', message: 'no route', stack: 'Error: no route\n    at send (a.ts:1:1)' }
  assert.match(
    line({ level: 50, msg: 'Not sent', err }),
    /Error: Not sent: no route\n {4}at send \(a\.ts:1:1\)$/,
  )
  assert.match(line({ level: 40, msg: 'Not sent', err }), /Warning: Not sent: no route$/)
})

test('removes control characters', () => {
  assert.doesNotMatch(line({ msg: 'a\u001b[2Jb', name: '\u0007\u009b' }), /\p{Cc}/u)
})
