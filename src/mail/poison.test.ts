import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { base64, group, mailOf, part, type TestPart, textMail } from '../../test/mail/compose.ts'
import { startReader } from '../../test/mail/reading.ts'

/** Emails that break other parsers. After each, a normal email must still be parsed. */

const { read } = startReader()

const readers = new URL('../../test/mail/poisoned-readers.ts', import.meta.url).href
const poisoned = startReader({ readers, heapMb: 48, externalMb: 96 })
/** The first attempt leaves enough time to start a worker, which the next email needs. */
const timeouts = { mailsplit: 12_000, rough: 100, 'postal-mime': 100 }
const withShortTimeouts = startReader({ readers, timeouts })

const plain = textMail(['Subject: Next'], 'The next mail.')

async function readPoison(raw: Buffer, reader = read) {
  const mail = await reader(raw)
  const next = await reader(plain)
  assert.deepEqual([next.text, next.reader], ['The next mail.', 'mailsplit'])
  return mail
}

test('parses parts nested 150 levels deep down to the limit', async () => {
  let inner: TestPart = part('text/plain', 'Deepest')
  for (let depth = 0; depth < 150; depth++) inner = group('mixed', `b${depth}`, inner)
  const mail = await readPoison(mailOf(group('mixed', 'top', part('text/plain', 'On top'), inner)))
  assert.deepEqual([mail.reader, mail.text, mail.truncated], ['mailsplit', 'On top', ['depth']])
})

test('shows the first of 5,000 parts and reports that parts were left out', async () => {
  const parts = Array.from({ length: 5_000 }, (_, at) => part('text/plain', `Part ${at}`))
  const mail = await readPoison(mailOf(group('mixed', 'b', ...parts)))
  assert.deepEqual([mail.reader, mail.truncated], ['mailsplit', ['parts']])
  assert.match(mail.text, /^Part 0\n\nPart 1\n/)
})

test('keeps 500 of 700 files and reports that files were left out', async () => {
  const files = Array.from({ length: 700 }, (_, at) => part(`application/pdf; name=${at}.pdf`, 'x'))
  const mail = await readPoison(mailOf(group('mixed', 'b', ...files, part('text/plain', 'Last'))))
  assert.deepEqual([mail.files.length, mail.text, mail.truncated], [500, 'Last', ['files']])
})

test('shows the beginning of 10 MB of flowed quotes and keeps the whole text as a file', async () => {
  const text = '> this is a quoted line that flows on and on to the next \r\n'.repeat(175_000)
  const mail = await readPoison(textMail(['Content-Type: text/plain; format=flowed'], text))
  assert.deepEqual([mail.reader, mail.truncated], ['mailsplit', ['text']])
  assert.ok(mail.text.length > 1_000_000)
  const body = text.replaceAll('\r\n', '\r\r\n')
  assert.ok(mail.files.length === 1 && Math.abs(mail.files[0]!.size - body.length) < 200_000)
})

test('removes 100,000 NULs from a text', async () => {
  assert.equal((await readPoison(textMail([], `a${'\0'.repeat(100_000)}b`))).text, 'ab')
})

test('parses a line of 2 MB in the text, in HTML and in a header', async () => {
  const line = 'x'.repeat(2 * 1024 * 1024)
  assert.equal((await readPoison(textMail([], line))).text.length, line.length)
  assert.equal(
    (await readPoison(textMail(['Content-Type: text/html'], `<p>${line}`))).text.length,
    line.length,
  )
  const { headers, truncated, text } = await readPoison(textMail([`Subject: ${line}`], 'Text'))
  assert.deepEqual([text, truncated], ['Text', ['headers']])
  assert.ok(headers.subject.length > 100_000)
})

const hostileEmails: Record<string, () => Buffer> = {
  'HTML nested 100,000 deep': () => textMail(['Content-Type: text/html'], `${'<b>'.repeat(100_000)}Deep`),
  '300,000 open brackets in HTML': () => textMail(['Content-Type: text/html'], `Deep ${'<'.repeat(300_000)}`),
  '200,000 open brackets in From': () => textMail([`From: ${'<'.repeat(200_000)} a@b.example`], 'Deep'),
  '200,000 open comments in To': () => textMail([`To: ${'('.repeat(200_000)}`], 'Deep'),
  '100,000 unclosed quoted strings in To': () => textMail([`To: ${'"\\'.repeat(100_000)}`], 'Deep'),
  '100,000 encoded words': () => textMail([`Subject: ${'=?utf-8?q?a?='.repeat(20_000)}`], 'Deep'),
  '60,000 headers': () =>
    textMail(
      Array.from({ length: 60_000 }, (_, at) => `X-${at}: y`),
      'Deep',
    ),
  '50,000 parameters': () => textMail([`Content-Type: text/plain; ${'a=b; '.repeat(50_000)}`], 'Deep'),
  '3 MB of quote marks': () =>
    textMail(['Content-Type: text/plain; format=flowed'], `Deep\n${'>'.repeat(3_000_000)}`),
  'a damaged base64 of 5 MB': () => textMail([base64], `RGVlcA==${'=!'.repeat(2_500_000)}`),
}

for (const [name, raw] of Object.entries(hostileEmails))
  test(`parses an email with ${name}`, async () => {
    const start = performance.now()
    const mail = await readPoison(raw())
    assert.match(mail.text, /^Deep/)
    assert.equal(mail.reader, 'mailsplit')
    assert.ok(performance.now() - start < 20_000)
  })

test('parses an empty file and a file without headers', async () => {
  assert.equal((await readPoison(Buffer.alloc(0))).text, '')
  const mail = await readPoison(Buffer.from([0xff, 0xd8, 0xff, 0x00, 0x0a, 0x0a, 0x41]))
  assert.notEqual(mail.reader, 'source')
})

for (const poison of ['throws', 'throws later', 'hangs', 'eats memory', 'eats buffers', 'exits', 'recurses'])
  test(`shows the source of an email if every parser ${poison}`, async () => {
    const raw = textMail([`X-Poison: ${poison}`, 'Subject: Hostile'], 'The text of the hostile email.')
    const { read, folder } = poison === 'hangs' ? withShortTimeouts : poisoned
    const mail = await readPoison(raw, read)
    assert.deepEqual([mail.reader, mail.truncated, mail.headers.subject], ['source', ['mail'], 'Hostile'])
    assert.match(mail.text, /The text of the hostile email\./)
    assert.ok(!readdirSync(folder).some(name => name.startsWith('mail-')))
  })

test('retries without HTML, then with another parser', async () => {
  const html = ['Content-Type: text/html']
  const second = await poisoned.read(textMail([...html, 'X-Poison: throws; only mailsplit'], '<p>Grüße</p>'))
  assert.deepEqual([second.reader, second.text, second.truncated], ['mailsplit', 'Grüße', ['html']])
  const third = await poisoned.read(
    textMail([...html, 'X-Poison: exits; only mailsplit,rough'], '<p>Grüße<script>x</script></p>'),
  )
  assert.deepEqual([third.reader, third.html, third.text], ['postal-mime', '<p>Grüße</p>', 'Grüße'])
})

test('rejects with the system error if the disk is full or the file is missing', async () => {
  const raw = textMail(['X-Poison: has a full disk'], 'x')
  await assert.rejects(poisoned.read(raw), { code: 'ENOSPC' })
  await assert.rejects(
    poisoned.reader.read('/does/not/exist', poisoned.folder, new AbortController().signal),
    {
      code: 'ENOENT',
    },
  )
})

test('parses an email while the previous one hangs', async () => {
  const patient = startReader({ readers })
  const path = join(patient.folder, 'hangs.eml')
  writeFileSync(path, textMail(['X-Poison: hangs'], 'x'))
  const controller = new AbortController()
  const hanging = patient.reader.read(path, patient.folder, controller.signal)
  assert.equal((await patient.read(plain)).text, 'The next mail.')
  controller.abort(new Error('Stopped'))
  await assert.rejects(hanging, /Stopped/)
})

test('rejects at once when aborted and parses the next email', async () => {
  const path = join(poisoned.folder, 'hangs.eml')
  writeFileSync(path, textMail(['X-Poison: hangs'], 'x'))
  const controller = new AbortController()
  const reading = poisoned.reader.read(path, poisoned.folder, controller.signal)
  setTimeout(() => controller.abort(new Error('Stopped')), 100)
  await assert.rejects(reading, /Stopped/)
  assert.equal((await poisoned.read(plain)).text, 'The next mail.')
})
