import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { base64, group, mailOf, part, textMail } from '../../test/mail/compose.ts'
import { startReader } from '../../test/mail/reading.ts'
import { buildTnef } from '../../test/mail/tnef.ts'

const { read } = startReader()

/** Created by `openssl cms -sign -nodetach`: with definite lengths, and streamed with indefinite lengths. */
const signed = {
  whole:
    'MIIBiQYJKoZIhvcNAQcCoIIBejCCAXYCAQExDTALBglghkgBZQMEAgEwgc4GCSqGSIb3DQEHAaCBwASBvUNvbnRlbnQtVHlwZTogbXVsdGlwYXJ0L21peGVkOyBib3VuZGFyeT1pbg0KDQotLWluDQpDb250ZW50LVR5cGU6IHRleHQvcGxhaW47IGNoYXJzZXQ9dXRmLTgNCg0KQml0dGUga8O8bmRpZ2VuIFNpZSBWZXJ0cmFnIDk5Lg0KLS1pbg0KQ29udGVudC1UeXBlOiB0ZXh0L2NzdjsgbmFtZT1saXN0ZS5jc3YNCg0KYTtiDQotLWluLS0NCjGBkDCBjQIBATAmMA4xDDAKBgNVBAMMA0FubgIUI1ROUVQVdoP8gHvdzw3urR7m/LMwCwYJYIZIAWUDBAIBMAoGCCqGSM49BAMCBEcwRQIhAO+GMm6758qnsGLZLXUyhM+nA3lJ9TFXG0bBYnXA7+EIAiAmJauP82JcAq79ReC1XFRH1kKgVwAU+ZfZiYuZllPkzQ==',
  stream:
    'MIAGCSqGSIb3DQEHAqCAMIACAQExDTALBglghkgBZQMEAgEwgAYJKoZIhvcNAQcBoIAkgASBvUNvbnRlbnQtVHlwZTogbXVsdGlwYXJ0L21peGVkOyBib3VuZGFyeT1pbg0KDQotLWluDQpDb250ZW50LVR5cGU6IHRleHQvcGxhaW47IGNoYXJzZXQ9dXRmLTgNCg0KQml0dGUga8O8bmRpZ2VuIFNpZSBWZXJ0cmFnIDk5Lg0KLS1pbg0KQ29udGVudC1UeXBlOiB0ZXh0L2NzdjsgbmFtZT1saXN0ZS5jc3YNCg0KYTtiDQotLWluLS0NCgAAAAAAADGBkDCBjQIBATAmMA4xDDAKBgNVBAMMA0FubgIUI1ROUVQVdoP8gHvdzw3urR7m/LMwCwYJYIZIAWUDBAIBMAoGCCqGSM49BAMCBEcwRQIgGKGUhc1zVrQwSfATjI+fZzlDIRxr0s5b5e/3z5ZLHjACIQDmMrHm0hqqIaBBHukanheIpDlFZHXhyUeEwgRZtfvtjAAAAAAAAA==',
}

for (const [kind, bytes] of Object.entries(signed))
  test(`shows the text and files inside an opaque S/MIME email (${kind})`, async () => {
    const headers = ['Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m', base64]
    const mail = await read(textMail(headers, bytes))
    assert.equal(mail.text, 'Bitte kündigen Sie Vertrag 99.')
    assert.deepEqual(
      mail.files.map(({ filename, size }) => [filename, size]),
      [['liste.csv', 3]],
    )
    assert.deepEqual([mail.signature, mail.encrypted], ['smime', null])
  })

test('keeps a damaged opaque S/MIME email as a file', async () => {
  const headers = ['Content-Type: application/pkcs7-mime; name=smime.p7m', base64]
  const mail = await read(textMail(headers, signed.whole.slice(0, 200)))
  assert.deepEqual(
    mail.files.map(({ filename, size }) => [filename, size]),
    [['smime.p7m', 150]],
  )
})

const withTnef = (bytes: Buffer, ...others: ReturnType<typeof part>[]) =>
  mailOf(
    group(
      'mixed',
      'm',
      ...others,
      part('application/ms-tnef; name=winmail.dat', bytes.toString('base64'), base64),
    ),
  )

test('reads long Unicode names, content types and the text from winmail.dat', async () => {
  const bytes = buildTnef({
    body: 'Der Bericht liegt bei – danke',
    files: [
      { short: 'BERICH~1.DOC', long: 'Bericht für Köln 報告.docx', data: Buffer.from('docx') },
      { short: 'plan.png', long: null, data: Buffer.from('png'), type: 'image/png', cid: 'image001@x' },
    ],
  })
  const mail = await read(withTnef(bytes))
  assert.equal(mail.text, 'Der Bericht liegt bei – danke')
  assert.deepEqual(
    mail.files.map(file => [file.filename, file.contentType, file.contentId]),
    [
      [
        'Bericht für Köln 報告.docx',
        'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
        null,
      ],
      ['plan.png', 'image/png', 'image001@x'],
    ],
  )
  assert.equal(readFileSync(mail.files[0]!.path, 'utf8'), 'docx')
})

test('ignores the text in winmail.dat if the email has its own text', async () => {
  const mail = await read(
    withTnef(buildTnef({ body: 'The text', files: [] }), part('text/plain', 'The text')),
  )
  assert.equal(mail.text, 'The text')
})

test('reads the files in a truncated winmail.dat and keeps an invalid winmail.dat as a file', async () => {
  const whole = buildTnef({ body: 'x', files: [{ short: 'a.txt', long: null, data: Buffer.from('abc') }] })
  const cut = await read(withTnef(whole.subarray(0, whole.length - 30), part('text/plain', 'See')))
  assert.deepEqual(
    cut.files.map(({ filename }) => filename),
    ['a.txt'],
  )
  const none = await read(withTnef(Buffer.from('not TNEF'), part('text/plain', 'See')))
  assert.deepEqual(
    none.files.map(({ filename, size }) => [filename, size]),
    [['winmail.dat', 8]],
  )
})

test('keeps a PGP-encrypted email as a file and does not list a PGP signature as a file', async () => {
  const sealed = group(
    'encrypted; protocol="application/pgp-encrypted"',
    'e',
    part('application/pgp-encrypted', 'Version: 1'),
    part('application/octet-stream; name=encrypted.asc', 'x'),
  )
  const secret = await read(mailOf(sealed))
  assert.deepEqual(
    [secret.encrypted, secret.files.map(({ filename }) => filename)],
    ['pgp', ['encrypted.asc']],
  )
  const both = group(
    'signed',
    's',
    part('text/plain', 'Signed'),
    part('application/pgp-signature; name=signature.asc', 'x'),
  )
  const mail = await read(mailOf(both))
  assert.deepEqual([mail.text, mail.signature, mail.files], ['Signed', 'pgp', []])
  const inline = await read(textMail([], '-----BEGIN PGP MESSAGE-----\n\nabc\n-----END PGP MESSAGE-----'))
  assert.equal(inline.encrypted, 'pgp')
})

const calendar = (lines: string[]) => ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR'].join('\n')

test('shows an invitation with a custom time zone in UTC and keeps the text', async () => {
  const zone = [
    'BEGIN:VTIMEZONE',
    'TZID:Tokio',
    'BEGIN:STANDARD',
    'DTSTART:19700101T000000',
    'TZOFFSETFROM:+0900',
    'TZOFFSETTO:+0900',
    'END:STANDARD',
    'END:VTIMEZONE',
  ]
  const event = [
    'METHOD:REQUEST',
    ...zone,
    'BEGIN:VEVENT',
    'UID:1',
    'DTSTART;TZID=Tokio:20260304T190000',
    'SUMMARY:会議',
    'END:VEVENT',
  ]
  const parts = [
    part('text/plain', 'Come'),
    part('text/calendar; method=REQUEST; charset=utf-8', calendar(event)),
  ]
  const mail = await read(mailOf(group('alternative', 'a', ...parts)))
  assert.equal(mail.text, 'Come')
  assert.deepEqual(mail.invitation, {
    summary: 'Invitation: 会議, 2026-03-04 10:00 UTC',
    title: '会議',
    location: '',
    start: '2026-03-04T10:00:00.000Z',
    method: 'REQUEST',
  })
  assert.deepEqual(
    mail.files.map(({ filename }) => filename),
    ['invite.ics'],
  )
})

test('summarises a cancelled all-day event and a declined invitation; keeps a broken calendar as a file only', async () => {
  const day = calendar([
    'METHOD:CANCEL',
    'BEGIN:VEVENT',
    'DTSTART;VALUE=DATE:20260304',
    'SUMMARY:Fair',
    'END:VEVENT',
  ])
  const reply = calendar([
    'METHOD:REPLY',
    'BEGIN:VEVENT',
    'ATTENDEE;PARTSTAT=DECLINED:mailto:a@b.example',
    'SUMMARY:Fair',
    'END:VEVENT',
  ])
  const summaries = await Promise.all(
    [day, reply, 'BEGIN:NOTHING'].map(text =>
      read(textMail(['Content-Type: text/calendar'], text)).then(mail => [
        mail.invitation?.summary,
        mail.files.length,
      ]),
    ),
  )
  assert.deepEqual(summaries, [
    ['Cancelled: Fair, 2026-03-04', 1],
    ['Reply: Fair, declined', 1],
    [undefined, 1],
  ])
})

test('reads a forwarded email in its own charset', async () => {
  const inner = textMail(
    ['Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=', 'Content-Type: text/html; charset=utf-8'],
    '<p>Schöne Grüße</p>',
  )
  const mail = await read(
    mailOf(group('mixed', 'm', part('text/plain', 'FYI'), part('message/rfc822', inner))),
  )
  assert.deepEqual([mail.attached?.headers.subject, mail.attached?.text], ['Grüße', 'Schöne Grüße'])
  assert.deepEqual(
    mail.files.map(({ filename }) => filename),
    ['Grüße.eml'],
  )
})

test('lists a delivery status notification and the returned headers as reports', async () => {
  const status = part(
    'message/delivery-status',
    'Reporting-MTA: dns; x\n\nFinal-Recipient: rfc822; a@b.example\nAction: failed',
  )
  const raw = mailOf(
    group(
      'report; report-type=delivery-status',
      'r',
      part('text/plain', 'Failed.'),
      status,
      part('text/rfc822-headers', 'Message-ID: <m@x>'),
    ),
  )
  const mail = await read(raw)
  assert.equal(mail.text, 'Failed.')
  assert.deepEqual(
    mail.reports.map(({ contentType }) => contentType),
    ['message/delivery-status', 'text/rfc822-headers'],
  )
  assert.match(mail.reports[0]!.text, /^Final-Recipient: rfc822; a@b\.example$/m)
})

test('stores an invitation that is attached twice as one file', async () => {
  const event = calendar([
    'METHOD:REQUEST',
    'BEGIN:VEVENT',
    'DTSTART:20260304T100000Z',
    'SUMMARY:Fair',
    'END:VEVENT',
  ])
  const texts = group(
    'alternative',
    'a',
    part('text/plain', 'Come'),
    part('text/calendar; method=REQUEST', event),
  )
  const mail = await read(
    mailOf(group('mixed', 'm', texts, part('application/ics; name="invite.ics"', event))),
  )
  assert.deepEqual(
    mail.files.map(({ filename, contentType }) => [filename, contentType]),
    [['invite.ics', 'application/ics']],
  )
  assert.equal(mail.invitation?.title, 'Fair')
})
