import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corpusCases, readCorpusMail, readMail } from '../../test/mail/corpus-mails.ts'
import { isMarkedAsSpam, readAuthentication } from './authentication.ts'

const trusted = ['mx.desk.example.com']

const mailWith = (...headers: string[]) =>
  readMail(`${headers.join('\r\n')}\r\nFrom: Ann <ann@example.com>\r\nTo: support@desk.example.com\r\n\r\nHi`)

test('reads the authentication and spam results of each corpus email from our mail server and ignores what the sender claims', async () => {
  for (const { file, expect } of corpusCases) {
    const { headers } = await readCorpusMail(file, [])
    assert.equal(readAuthentication(headers, trusted).dmarc, expect.authentication ?? 'none', file)
    assert.equal(isMarkedAsSpam(headers), expect.is_spam ?? false, file)
  }
})

const results: Record<string, [headers: string[], expected: string]> = {
  'OpenDMARC and OpenDKIM, one header each': [
    [
      'Authentication-Results: mx.desk.example.com; dmarc=pass (p=none dis=none) header.from=example.com',
      'Authentication-Results: mx.desk.example.com;\r\n\tdkim=pass (2048-bit key; unprotected) header.d=example.com header.i=@example.com',
      'Authentication-Results: mx.desk.example.com; spf=softfail smtp.mailfrom=a@example.com',
    ],
    'pass fail pass',
  ],
  'Rspamd, with comments in comments': [
    [
      'Authentication-Results: MX.desk.example.com 1; dkim=none; spf=none (mx: a (b) ; dmarc=pass) smtp.mailfrom=""; dmarc=fail reason="No valid; dmarc=pass" header.from=example.com (policy=reject)',
    ],
    'fail none none',
  ],
  'several signatures, one of them valid': [
    [
      'Authentication-Results: mx.desk.example.com; dkim=fail header.d=a.example; dkim=pass header.d=example.com; dmarc=temperror',
    ],
    'none none pass',
  ],
  'a server name that begins with ours': [
    ['Authentication-Results: mx.desk.example.com.evil.example; dmarc=pass header.from=example.com'],
    'none none none',
  ],
  'our server name in a comment': [
    ['Authentication-Results: (mx.desk.example.com) evil.example; dmarc=pass header.from=example.com'],
    'none none none',
  ],
  'a forged pass below the result of our server': [
    [
      'Authentication-Results: mx.desk.example.com; dmarc=fail header.from=example.com',
      'Authentication-Results: mx.desk.example.com; dmarc=pass header.from=example.com',
    ],
    'fail none none',
  ],
  'a forged pass below the result of another server': [
    [
      'Authentication-Results: mx.desk.example.com; spf=pass',
      'Authentication-Results: relay.example.net; dmarc=none',
      'Authentication-Results: mx.desk.example.com; dmarc=pass header.from=example.com',
    ],
    'none pass none',
  ],
  'a pass for a domain other than the one in From': [
    ['Authentication-Results: mx.desk.example.com; dmarc=pass header.from=evil.example'],
    'none none none',
  ],
  'an untrusted server without a name': [
    [
      'Authentication-Results: spf=pass smtp.mailfrom=example.com; dmarc=pass action=none header.from=example.com;compauth=pass',
    ],
    'none none none',
  ],
  'a server name without results': [['Authentication-Results: mx.desk.example.com; none'], 'none none none'],
  'an empty header': [['Authentication-Results:'], 'none none none'],
}

for (const [what, [headers, expected]] of Object.entries(results)) {
  test(`reads Authentication-Results: ${what}`, async () => {
    const { dmarc, spf, dkim } = readAuthentication((await mailWith(...headers)).headers, trusted)
    assert.equal(`${dmarc} ${spf} ${dkim}`, expected)
  })
}

test('uses the topmost result of a server without a name if such servers are trusted', async () => {
  const mail = await mailWith(
    'Authentication-Results: spf=pass (sender IP is 1.2.3.4) smtp.mailfrom=example.com; dkim=pass (signature was verified) header.d=example.com;dmarc=fail action=none header.from=example.com;compauth=pass reason=100',
    'Authentication-Results: dmarc=pass header.from=example.com',
  )
  assert.deepEqual(readAuthentication(mail.headers, ['']), {
    dmarc: 'fail',
    spf: 'pass',
    dkim: 'pass',
    arc: 'none',
  })
})

test('treats an email as spam if a spam filter header begins with Yes', async () => {
  const spamHeaders = ['X-Spam-Flag: YES', 'X-Spam-Status: Yes, score=9.1', 'X-Spam: Yes']
  for (const header of spamHeaders)
    assert.equal(isMarkedAsSpam((await mailWith(header)).headers), true, header)
  const otherHeaders = [
    'X-Spam-Flag: NO',
    'X-Spam-Status: No, score=-2.1 tests=YES',
    'X-Spam-Score: 15',
    'Subject: Yes',
  ]
  for (const header of otherHeaders)
    assert.equal(isMarkedAsSpam((await mailWith(header)).headers), false, header)
})
