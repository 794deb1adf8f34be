import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readRawMail } from '../mail/raw-mail.ts'
import { scanMbox } from './scan-mbox.ts'

const folder = mkdtempSync(join(tmpdir(), 'deskbell-mbox-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function read(content: string) {
  const path = join(folder, 'mail.mbox')
  writeFileSync(path, content, 'latin1')
  return [...scanMbox(path)].map(raw => ({
    text: Buffer.concat([...readRawMail(raw)]).toString('latin1'),
    arrivedAt: raw.arrivedAt && new Date(raw.arrivedAt).toISOString(),
  }))
}

const postmark = 'From ann@example.com Mon Jan  5 10:00:00 2026'

for (const [dialect, end] of [
  ['LF', '\n'],
  ['CRLF', '\r\n'],
] as const)
  test(`lines that begin with From separate emails, with ${dialect} line breaks`, () => {
    const lines = [postmark, 'Subject: One', '', 'Text', '', postmark, 'Subject: Two', '', 'Text', '']
    assert.deepEqual(read(lines.join(end)), [
      { text: ['Subject: One', '', 'Text', '', ''].join(end), arrivedAt: '2026-01-05T10:00:00.000Z' },
      { text: ['Subject: Two', '', 'Text', ''].join(end), arrivedAt: '2026-01-05T10:00:00.000Z' },
    ])
  })

test('one > is removed from escaped lines of mboxrd and mboxo', () => {
  const [mail] = read(`${postmark}\nSubject: One\n\n>From here\n>>From there\n> From\n>Fro\n`)
  assert.equal(mail!.text, 'Subject: One\n\nFrom here\n>From there\n> From\n>Fro\n')
})

test('a line of text that begins with From does not separate emails', () => {
  const text = 'Hello\n\nFrom now on we close at 10:30.\n\nFrom me\nto you\n'
  assert.deepEqual(
    read(`${postmark}\nSubject: One\n\n${text}`).map(one => one.text),
    [`Subject: One\n\n${text}`],
  )
})

test('a wrong Content-Length is ignored', () => {
  const mails = read(`${postmark}\nContent-Length: 9999\n\nOne\n\n${postmark}\nContent-Length: 0\n\nTwo\n`)
  assert.deepEqual(
    mails.map(one => one.text.split('\n').at(2)),
    ['One', 'Two'],
  )
})

test('the separators of Thunderbird, Google Takeout and other programs are recognised, even without an empty line before them', () => {
  const separators = [
    'From - Mon Jan  5 10:00:00 2026',
    'From 1234@xxx Mon Jan 05 10:00:00 +0000 2026',
    'From MAILER-DAEMON Mon Jan  5 10:00 GMT 2026',
    'From ',
  ]
  const mails = read(separators.map((line, at) => `${line}\nSubject: ${at}\n\nText\n\n`).join(''))
  assert.deepEqual(
    mails.map(one => one.text.slice(0, 10)),
    ['Subject: 0', 'Subject: 1', 'Subject: 2', 'Subject: 3'],
  )
  assert.deepEqual(
    mails.map(one => one.arrivedAt !== null),
    [true, true, true, false],
  )
  assert.equal(read(`${postmark}\nSubject: 1\n\nNo empty line\n${postmark}\nSubject: 2\n\nText\n`).length, 2)
})

test('emails and lines that cross the boundary of a block are read correctly', () => {
  // 1 MiB is the size of a block when scanning, 64 KiB when reading.
  for (const shift of [-9, -6, -3, -2, -1, 0, 1, 2]) {
    const head = `${postmark}\nSubject: One\n\n`
    const filler = (bytes: number) => `${'x'.repeat(69)}\n`.repeat(Math.ceil(bytes / 70)).slice(-bytes)
    const first = `${head}${filler(64 * 1024 - 14 + shift)}>From a\n`
    const text = `${first}${filler(1024 * 1024 + shift - first.length - 1)}\n`
    const mails = read(`${text}${postmark}\nSubject: Two\n\nText\n`)
    assert.deepEqual([mails.length, mails[1]?.text], [2, 'Subject: Two\n\nText\n'], `${shift}`)
    assert.ok(mails[0]!.text.includes('\nFrom a\n'), `${shift}`)
    assert.equal(mails[0]!.text.length, text.length - postmark.length - 2, `${shift}`)
  }
})

test('a file that is not an mbox is refused', () => {
  assert.throws(() => read('Subject: One\n\nText\n'), /not an mbox/)
})
