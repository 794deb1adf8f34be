import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuTime } from '../../test/cpu-time.ts'
import { textMail } from '../../test/mail/compose.ts'
import { startReader } from '../../test/mail/reading.ts'
import { parseAddresses } from './addresses.ts'
import { parseDate } from './dates.ts'
import { decodeWords } from './encoded-words.ts'
import { safeFilename } from './filename.ts'

const { read } = startReader()

const addresses: [written: string, read: string][] = [
  ['ann@example.com', 'null ann@example.com'],
  ['Ann Berger <Ann.Berger@EXAMPLE.com>', 'Ann Berger Ann.Berger@example.com'],
  [
    '"Berger, Ann" <ann@example.com>, bob@example.com (Bob)',
    'Berger, Ann ann@example.com | Bob bob@example.com',
  ],
  ['Berger, Ann <ann@example.com>', 'Berger, Ann ann@example.com'],
  ['Florian <florian@example.com', 'Florian florian@example.com'],
  ['Florian florian@example.com>', 'Florian florian@example.com'],
  ['"ann@example.com" <ann@example.com>', 'null ann@example.com'],
  ["'ann@example.com' <ann@example.com>", 'null ann@example.com'],
  ['other@example.net <ann@example.com>', 'null ann@example.com'],
  ['"Ann \\"Nana\\" Berger" <ann@example.com>', 'Ann "Nana" Berger ann@example.com'],
  ['=?utf-8?B?0J7Qu9C10LM=?= <oleg@example.net>', 'Олег oleg@example.net'],
  ['"=?iso-8859-1?Q?J=F6rg?=" <j@example.net>', 'Jörg j@example.net'],
  ['=?utf-8?Q?Ann_=3Cann=40example.com=3E?=', 'Ann ann@example.com'],
  ['Team: ann@example.com, Bob <bob@example.com>;', 'null ann@example.com | Bob bob@example.com'],
  ['undisclosed-recipients:;', ''],
  ['<>', ''],
  ['Ann <mailto:ann@example.com>', 'Ann ann@example.com'],
  ['<@relay.example,@other.example:ann@example.com>', 'null ann@example.com'],
  ['Ann <ann@example.com.>', 'Ann ann@example.com'],
  ['a@example.com;b@example.com', 'null a@example.com | null b@example.com'],
  ['Ann <ann@example.com> <second@example.com>', 'Ann ann@example.com'],
  ['김민수 <kim@example.kr>', '김민수 kim@example.kr'],
  ['"no address at all"', ''],
]

for (const [written, expected] of addresses)
  test(`parses the address list: ${written}`, () => {
    const shown = parseAddresses(written, 100).map(({ name, address }) => `${name} ${address}`)
    assert.equal(shown.join(' | '), expected)
  })

const dates: [written: string, read: string | null][] = [
  ['Tue, 03 Nov 2026 10:12:00 +0100', '2026-11-03T09:12:00.000Z'],
  ['3 Nov 2026 10:12 +0530 (IST)', '2026-11-03T04:42:00.000Z'],
  ['Tue, 3 Nov 26 10:12:00 GMT', '2026-11-03T10:12:00.000Z'],
  ['Tue, 03-Nov-2026 10:12:00 PST', '2026-11-03T18:12:00.000Z'],
  ['2026-11-03T10:12:00Z', '2026-11-03T10:12:00.000Z'],
  ['Wed, 31 Dec 2025 23:59:60 +0000', '2025-12-31T23:59:59.000Z'],
  ['Tue, 31 Feb 2026 10:12:00 +0000', null],
  ['Mon, 00 Foo 0000 99:99:99 +9999', null],
  ['Tue, 03 Nov 2026 10:12:00 +9900', null],
  ['yesterday', null],
]

test('converts valid dates to UTC and returns null for others', () => {
  assert.deepEqual(
    dates.map(([written]) => [written, parseDate(written)]),
    dates,
  )
})

const words: [written: string, read: string][] = [
  ['=?utf-8?Q?Gr=C3?= =?utf-8?Q?=B6=C3=9Fe?=', 'Größe'],
  ['=?utf-8?B?R3LDtg==?= =?utf-8?Q?=C3=9Fe?= heute', 'Größe heute'],
  ['=?utf-8?B?R3L?= =?utf-8?B?DtsOfZQ==?=', 'Größe'],
  ['=?UTF-8*de?Q?Gr=C3=B6=C3=9Fe?=', 'Größe'],
  ['=?windows-1251?B?0fLz6w==?=', 'Стул'],
  ['=?iso-8859-1?Q?Gr=C3=B6=C3=9Fe?=', 'Größe'],
  ['=?x-unknown?Q?caf=E9?=', 'café'],
  ['=?utf-7?Q?Gr+APwA3w-e?=', 'Grüße'],
  ['a =?utf-8?Q?b c?= d', 'a b c d'],
  ['=?broken', '=?broken'],
]

test('decodes encoded words with split characters, language tags, and wrong or unknown charsets', () => {
  assert.deepEqual(
    words.map(([written]) => [written, decodeWords(written)]),
    words,
  )
})

const names: [given: string | null, type: string, name: string][] = [
  ['../../etc/passwd', 'text/plain', 'passwd'],
  ['C:\\temp\\a.txt', 'text/plain', 'a.txt'],
  ['evil\u202Egnp.exe\r\nX: 1', 'text/plain', 'evilgnp.exeX_ 1'],
  ['..', 'image/png', 'image.png'],
  [null, 'text/calendar', 'invite.ics'],
  ['  .htaccess ', 'text/plain', 'htaccess'],
  ['Re: Angebot', 'message/rfc822', 'Re_ Angebot.eml'],
  ['\u0000', 'application/pdf', 'file.pdf'],
  [`${'ä'.repeat(300)}.pdf`, 'application/pdf', `${'ä'.repeat(125)}.pdf`],
]

test('removes paths, control characters and bidirectional formatting from file names and limits them to 255 bytes', () => {
  assert.deepEqual(
    names.map(([given, type]) => [given, type, safeFilename(given, type)]),
    names,
  )
})

test('reads folded Message-IDs, Message-IDs without brackets, Thread-Index, Return-Path and delivery headers', async () => {
  const { headers } = await read(
    textMail(
      [
        'Message-ID: <m1@mail.\n example.com>',
        'In-Reply-To: Your mail of Monday <a@b.example>',
        'References: c@d.example, e@f.example',
        `Thread-Index: ${Buffer.alloc(27, 7).toString('base64')}`,
        'Return-Path: <>',
        'Delivered-To: billing@desk.example.com',
        'X-Original-To: Billing@Desk.example.com',
      ],
      'x',
    ),
  )
  assert.equal(headers.messageId, 'm1@mail.example.com')
  assert.deepEqual(headers.inReplyTo, ['a@b.example'])
  assert.deepEqual(headers.references, ['c@d.example', 'e@f.example'])
  assert.equal(headers.threadIndex, '07'.repeat(27))
  assert.equal(headers.returnPath, '')
  assert.deepEqual(headers.deliveredTo, ['billing@desk.example.com', 'Billing@desk.example.com'])
})

test('decodes a raw Shift_JIS subject in the charset of the text', async () => {
  const raw = textMail(
    ['Subject: 注文', 'Content-Type: text/plain; charset=shift_jis'],
    '届きません',
    'shift_jis',
  )
  const { headers, text } = await read(raw)
  assert.deepEqual([headers.subject, text], ['注文', '届きません'])
})

test('treats a header named __proto__ like any other header', async () => {
  const { headers } = await read(textMail(['__proto__: polluted'], 'x'))
  assert.deepEqual(Object.getOwnPropertyDescriptor(headers.all, '__proto__')?.value, ['polluted'])
})

test('limits an email to 500 addresses, 1,000 references and 256 KiB of headers and reports the truncation', async () => {
  const to = Array.from({ length: 600 }, (_, at) => `p${at}@example.com`).join(',\n ')
  const ids = Array.from({ length: 1_200 }, (_, at) => `<r${at}@example.com>`).join('\n ')
  const mail = await read(
    textMail([`Cc: ${to}`, `References: ${ids}`, `X-Long: ${'x'.repeat(300_000)}`], 'Text'),
  )
  assert.equal(mail.headers.cc.length + mail.headers.to.length + 1, 500)
  assert.equal(mail.headers.references.length, 1_000)
  assert.equal(mail.headers.references.at(-1), 'r1199@example.com')
  assert.deepEqual(mail.truncated.toSorted(), ['addresses', 'headers', 'references'])
  assert.equal(mail.text, 'Text')
})

test('reads address lists of 250 KB without addresses in less than two seconds', () => {
  for (const piece of [`${'a'.repeat(500)},`, `${'a'.repeat(60)},`, `@ ${'a'.repeat(200)},`]) {
    const startedAt = cpuTime()
    assert.deepEqual(parseAddresses(piece.repeat(250_000 / piece.length), 500), [])
    const ms = cpuTime() - startedAt
    assert.ok(ms < 2_000, `${ms} ms`)
  }
})

test('finds a bare address after an @ that belongs to no address', () => {
  const found = parseAddresses('@ or x@ or ann@example.com', 10)
  assert.deepEqual(
    found.map(({ address }) => address),
    ['ann@example.com'],
  )
})
