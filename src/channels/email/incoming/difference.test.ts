import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuTime } from '../../../../test/cpu-time.ts'
import { compareMails, type ShownMail } from './difference.ts'

const shown = (content: string): ShownMail =>
  ({
    content,
    content_html: null,
    sender_name: 'Ann',
    email: null,
    quoted_text: '',
    headers: [],
    media: [],
  }) as never

test('a line of a million characters that differs at its end is compared in less than a second', () => {
  const same = 'a'.repeat(1_000_000)
  const begun = cpuTime()
  const { fields, line } = compareMails(shown(`${same}1`), shown(`${same}2`))
  assert.ok(cpuTime() - begun < 1_000)
  assert.deepEqual(fields, ['content'])
  assert.deepEqual(line, { field: 'content', before: `${'a'.repeat(40)}1`, after: `${'a'.repeat(40)}2` })
})

test('a line that became shorter shows where it ends now', () => {
  const { line } = compareMails(shown(`${'a'.repeat(200)} and more`), shown('a'.repeat(200)))
  assert.deepEqual(line, { field: 'content', before: `${'a'.repeat(40)} and more`, after: 'a'.repeat(40) })
})
