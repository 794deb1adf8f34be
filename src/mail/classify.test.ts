import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bounces } from '../../test/mail/bounces.ts'
import { corpusCases, readCorpusMail, readMail, type WorldTicket } from '../../test/mail/corpus-mails.ts'
import { isMarkedAsSpam } from './authentication.ts'
import { classify, type OwnFacts } from './classify.ts'
import { mayAcknowledge } from './machines.ts'

const tickets: WorldTicket[] = ['T1', 'T2', 'T3', 'T4', 'T5', 'T6'].map((name, at) => ({
  name,
  number: at + 11,
  out: `${name}.out@desk.example.com`,
  reply: `support+${name}@desk.example.com`,
  anchor: `${name}.anchor@desk.example.com`,
}))

const facts: OwnFacts = {
  addresses: ['support@desk.example.com', 'help@desk.example.com'],
  allAddresses: ['support@desk.example.com', 'help@desk.example.com', 'billing@desk.example.com'],
  formSenders: ['website@shop.example.com'],
  isOwnId: id =>
    id === 'own@desk.example.com' || tickets.some(({ out, anchor }) => id === out || id === anchor),
  isOwnReturnPath: address => address.startsWith('support+b.'),
}
const operators = ['omar@desk.example.com', 'olga@desk.example.com']

test('classifies and acknowledges the corpus emails as the manifest expects', async () => {
  for (const { file, expect } of corpusCases) {
    const mail = await readCorpusMail(file, tickets)
    const found = classify(mail, facts)
    const expected = expect.threading.reason === 'backscatter' ? 'backscatter' : expect.class
    assert.equal(found.class, expected, `${file}: ${found.evidence}`)
    const sender = {
      isSpam: isMarkedAsSpam(mail.headers),
      isOperator: operators.includes(mail.headers.from?.address ?? ''),
    }
    // Duplicates are detected elsewhere, by comparison with stored emails.
    if (expect.threading.target !== 'duplicate')
      assert.equal(mayAcknowledge(mail, found.class, facts, sender), expect.may_acknowledge, file)
    if (!expect.bounce) continue
    const { of, recipient, status, permanent } = expect.bounce
    assert.equal(found.originalId, `${of}.out@desk.example.com`, file)
    const reported = found.deliveries.find(one => one.recipient === recipient)
    assert.deepEqual([reported?.status, reported?.isPermanent], [status, permanent], file)
  }
})

for (const { server, raw, expected, class: kind } of bounces) {
  test(`reads a delivery status notification: ${server}`, async () => {
    const found = classify(await readMail(raw.replaceAll('\n', '\r\n')), facts)
    const reported = found.deliveries.map(
      one => `${one.recipient} ${one.outcome} ${one.status} ${one.isPermanent}`,
    )
    assert.deepEqual(reported, expected)
    assert.equal(found.class, kind)
    if (raw.includes('own@')) assert.equal(found.originalId, 'own@desk.example.com')
    assert.ok(found.deliveries.every(({ words }) => words.length <= 500))
  })
}

const ann = 'From: Ann <ann@example.com>\nTo: support@desk.example.com'

const mails: Record<string, [raw: string, kind: string, evidence: string]> = {
  'an out-of-office reply from Exchange': [
    `${ann}\nAuto-Submitted: auto-generated\nX-Auto-Response-Suppress: All\nIn-Reply-To: <own@desk.example.com>\nReturn-Path: <>\n\nI am away. Call 555 1234.`,
    'auto_reply',
    'Auto-Submitted: auto-generated',
  ],
  'an out-of-office reply marked only by X-Auto-Response-Suppress': [
    `${ann}\nX-Auto-Response-Suppress: All\nIn-Reply-To: <own@desk.example.com>\n\nI am away.`,
    'auto_reply',
    'X-Auto-Response-Suppress: All',
  ],
  'an out-of-office reply marked only by an empty return path, with an address in its text': [
    `${ann}\nReturn-Path: <>\nIn-Reply-To: <own@desk.example.com>\n\nI am away. Please write to\nbob@example.com\nin that time.`,
    'person',
    '',
  ],
  'an email with Auto-Submitted: no': [`${ann}\nAuto-Submitted: no\n\nHi`, 'person', ''],
  'an automatic notification': [
    `${ann}\nAuto-Submitted: auto-generated\n\nDisk full`,
    'automated',
    'Auto-Submitted: auto-generated',
  ],
  'a newsletter': [`${ann}\nPrecedence: bulk\n\nBuy`, 'automated', 'Precedence: bulk'],
  'a no-reply address': [
    'From: Shop <do-not_reply@shop.example>\n\nHi',
    'automated',
    'From: do-not_reply@shop.example',
  ],
  'an email distributed by a group with our own address': [
    `${ann}\nPrecedence: list\nList-Id: <support.desk.example.com>\nList-Post: <https://groups.example/support>, <mailto:support@desk.example.com>\n\nHi`,
    'person',
    '',
  ],
  'a form that sends from our own address': [
    'From: support@desk.example.com\nReply-To: Eve <eve@example.net>\nTo: support@desk.example.com\n\nHi',
    'person',
    '',
  ],
  'our own email with another Message-ID': [
    'From: support@desk.example.com\nReply-To: support@desk.example.com\nTo: help@desk.example.com\n\nHi',
    'loop',
    'From: support@desk.example.com',
  ],
  'our own email through a mailing list that rewrites From': [
    'From: Acme via list <list@example.net>\nMessage-ID: <x@list>\nX-Deskbell-Sent: <own@desk.example.com>\n\nHi',
    'loop',
    'X-Deskbell-Sent: own@desk.example.com',
  ],
  'an email from another Deskbell installation': [
    `${ann}\nX-Deskbell-Sent: <m.a.b@other.example>\n\nHi`,
    'person',
    '',
  ],
  'a read receipt': [
    `${ann}\nContent-Type: multipart/report; report-type=disposition-notification; boundary=b\n\n--b\n\nRead.\n--b\nContent-Type: message/disposition-notification\n\nFinal-Recipient: rfc822; ann@example.com\nOriginal-Message-ID: <own@desk.example.com>\nDisposition: manual-action/MDN-sent-manually; displayed\n\n--b--\n`,
    'receipt',
    'Content-Type: message/disposition-notification',
  ],
  'a bounce forwarded by a person': [
    `${ann}\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nWhat does this mean?\n\n<nobody@dead.example.com>:\n550 5.1.1 User unknown\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; x\n\nFinal-Recipient: rfc822; nobody@dead.example.com\nAction: failed\nStatus: 5.1.1\n\n--b--\n`,
    'person',
    '',
  ],
  'a mail server without a recipient': [
    'From: Mail Delivery System <MAILER-DAEMON@mx.example>\nSubject: Your quota\n\nYour mailbox is almost full.',
    'automated',
    'From: MAILER-DAEMON@mx.example',
  ],
  "a postmaster's reply to our email": [
    'From: postmaster@x.example\nIn-Reply-To: <own@desk.example.com>\nSubject: Re: Hi\n\nWe have fixed it.',
    'automated',
    'From: postmaster@x.example',
  ],
}

for (const [what, [raw, kind, evidence]] of Object.entries(mails)) {
  test(`classifies ${what} as ${kind}`, async () => {
    const found = classify(await readMail(raw.replaceAll('\n', '\r\n')), facts)
    assert.deepEqual([found.class, found.evidence], [kind, evidence])
  })
}

test('a report is backscatter only if it has a foreign Message-ID and was not sent to one of our return paths', async () => {
  const said =
    'Return-Path: <>\nFrom: mailer-daemon@x.example\nTo: TO\n\n<nobody@dead.example.com>:\n550 no such user'
  const unknown = await readMail(said.replace('TO', 'support@desk.example.com'))
  assert.equal(classify(unknown, facts).class, 'bounce')
  const foreign = `${said}\n\nFrom: a\nMessage-ID: <spam@x.example>\n`
  assert.equal(
    classify(await readMail(foreign.replace('TO', 'support@desk.example.com')), facts).class,
    'backscatter',
  )
  assert.equal(
    classify(await readMail(foreign.replace('TO', 'support+b.x.y@desk.example.com')), facts).class,
    'bounce',
  )
})

test('does not acknowledge spam, automated emails, senders who suppress automatic replies, or replies that would reach one of our mailboxes', async () => {
  const headers = [
    'X-Auto-Response-Suppress: OOF, AutoReply',
    'Return-Path: <>',
    'Reply-To: billing@desk.example.com',
  ]
  const sender = { isSpam: false, isOperator: false }
  for (const header of headers) {
    const mail = await readMail(`${ann}\n${header}\n\nHi`)
    assert.equal(mayAcknowledge(mail, 'person', facts, sender), false, header)
  }
  const mail = await readMail(`${ann}\nX-Auto-Response-Suppress: DR, RN\n\nHi`)
  assert.equal(mayAcknowledge(mail, 'person', facts, sender), true)
  assert.equal(mayAcknowledge(mail, 'automated', facts, sender), false)
  assert.equal(mayAcknowledge(mail, 'person', facts, { isSpam: true, isOperator: false }), false)
})
