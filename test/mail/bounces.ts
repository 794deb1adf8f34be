/** Bounces in the formats of various mail servers, for an email to `nobody@dead.example.com` with the ID `own@desk.example.com`. */

const original = `Return-Path: <support@desk.example.com>
Received: from desk.example.com (desk.example.com [192.0.2.7])
\tby mx.dead.example.com; Tue, 3 Nov 2026 09:00:00 +0100
From: Acme Support <support@desk.example.com>
To: nobody@dead.example.com
Subject: Your warranty card
Message-ID: <own@desk.example.com>
`

const report = (head: string, said: string, status: string, returned = original): string =>
  `${head}
Return-Path: <>
To: support@desk.example.com
Message-ID: <bounce@mx.dead.example.com>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain; charset=utf-8

${said}

--b
Content-Type: message/delivery-status

${status}
--b
Content-Type: ${returned === original ? 'message/rfc822' : 'text/rfc822-headers'}

${returned}
--b--
`

const plain = (head: string, said: string): string =>
  `${head}
To: support@desk.example.com
Message-ID: <bounce@mx.dead.example.com>
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit

${said}`

export interface BounceCase {
  raw: string
  /** `recipient outcome status permanent` for each recipient. */
  expected: string[]
  class: string
}

const failed = ['nobody@dead.example.com failed 5.1.1 true']

const cases: Record<string, [raw: string, expected: string[], kind: string]> = {
  Postfix: [
    report(
      'From: MAILER-DAEMON@mx.desk.example.com (Mail Delivery System)\nSubject: Undelivered Mail Returned to Sender\nAuto-Submitted: auto-replied',
      '<nobody@dead.example.com>: host mx.dead.example.com[192.0.2.9] said: 550 5.1.1\n    <nobody@dead.example.com>: Recipient address rejected: User unknown (in reply\n    to RCPT TO command)',
      'Reporting-MTA: dns; mx.desk.example.com\nX-Postfix-Queue-ID: 4A1\nX-Postfix-Sender: rfc822; support@desk.example.com\n\nFinal-Recipient: rfc822; nobody@dead.example.com\nOriginal-Recipient: rfc822;nobody@dead.example.com\nAction: failed\nStatus: 5.1.1\nRemote-MTA: dns; mx.dead.example.com\nDiagnostic-Code: smtp; 550 5.1.1 <nobody@dead.example.com>: Recipient address\n    rejected: User unknown\n',
    ),
    failed,
    'bounce',
  ],
  'Postfix, mail expired': [
    report(
      'From: MAILER-DAEMON@mx.desk.example.com\nSubject: Undelivered Mail Returned to Sender',
      '<nobody@dead.example.com>: connect to mx.dead.example.com[192.0.2.9]:25: Connection timed out',
      'Reporting-MTA: dns; mx.desk.example.com\n\nFinal-Recipient: rfc822; nobody@dead.example.com\nAction: failed\nStatus: 4.4.1\nDiagnostic-Code: X-Postfix; connect to mx.dead.example.com[192.0.2.9]:25: Connection timed out\n',
    ),
    ['nobody@dead.example.com failed 4.4.1 false'],
    'bounce',
  ],
  'Postfix, forwarded to an address unknown to the sender': [
    report(
      'From: MAILER-DAEMON@mx.dead.example.com\nSubject: Undelivered Mail Returned to Sender',
      'x',
      'Reporting-MTA: dns; mx.dead.example.com\n\nFinal-Recipient: rfc822; private@home.example.net\nOriginal-Recipient: rfc822;nobody@dead.example.com\nAction: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 552 5.2.2 over quota\n',
    ),
    ['nobody@dead.example.com failed 5.2.2 true'],
    'bounce',
  ],
  'Postfix, a requested delivery confirmation': [
    report(
      'From: MAILER-DAEMON@mx.desk.example.com\nSubject: Successful Mail Delivery Report',
      'x',
      'Reporting-MTA: dns; mx.desk.example.com\n\nFinal-Recipient: rfc822; nobody@dead.example.com\nAction: relayed\nStatus: 2.0.0\nDiagnostic-Code: smtp; 250 2.0.0 Ok\n',
    ),
    ['nobody@dead.example.com delivered 2.0.0 false'],
    'delivered',
  ],
  'Gmail, delayed': [
    report(
      'From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>\nSubject: Delivery Status Notification (Delay)\nX-Failed-Recipients: nobody@dead.example.com\nAuto-Submitted: auto-replied\nIn-Reply-To: <own@desk.example.com>',
      '** Delivery incomplete **\n\nThere was a temporary problem delivering your message to nobody@dead.example.com. Gmail will retry for 45 more hours.',
      'Reporting-MTA: dns; googlemail.com\nArrival-Date: Tue, 03 Nov 2026 01:00:00 -0800 (PST)\nX-Original-Message-ID: <own@desk.example.com>\n\nFinal-Recipient: rfc822; nobody@dead.example.com\nAction: delayed\nStatus: 4.4.1\nDiagnostic-Code: smtp; The recipient server did not accept our requests to connect.\nLast-Attempt-Date: Wed, 04 Nov 2026 01:00:00 -0800 (PST)\nWill-Retry-Until: Fri, 06 Nov 2026 01:00:00 -0800 (PST)\n',
    ),
    ['nobody@dead.example.com delayed 4.4.1 false'],
    'delay',
  ],
  'Microsoft 365': [
    report(
      'From: Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@dead.example.com>\nSubject: Undeliverable: Your warranty card\nIn-Reply-To: <own@desk.example.com>\nReferences: <own@desk.example.com>',
      "Your message to nobody@dead.example.com couldn't be delivered.\nnobody wasn't found at dead.example.com.",
      'Reporting-MTA: dns;AM0PR01MB0001.eurprd01.prod.exchangelabs.com\nReceived-From-MTA: dns;desk.example.com\nArrival-Date: Tue, 3 Nov 2026 08:00:00 +0000\n\nFinal-Recipient: rfc822;nobody@dead.example.com\nAction: failed\nStatus: 5.1.10\nDiagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient nobody@dead.example.com not found by SMTP address lookup\n',
    ),
    ['nobody@dead.example.com failed 5.1.10 true'],
    'bounce',
  ],
  'Amazon SES, with the ID only in References': [
    report(
      'From: MAILER-DAEMON@eu-west-1.amazonses.com\nSubject: Delivery Status Notification (Failure)',
      'An error occurred while trying to deliver the mail to the following recipients:\nnobody@dead.example.com',
      'Reporting-MTA: dns; a7-12.smtp-out.eu-west-1.amazonses.com\n\nAction: failed\nFinal-Recipient: rfc822; nobody@dead.example.com\nDiagnostic-Code: smtp; 550 5.1.1 user unknown\nStatus: 5.1.1\n',
      'From: support@desk.example.com\nTo: nobody@dead.example.com\nReferences: <a@b.example>\n <own@desk.example.com>\nMessage-ID: <0102018f@eu-west-1.amazonses.com>\n',
    ),
    failed,
    'bounce',
  ],
  Sendmail: [
    report(
      'From: Mail Delivery Subsystem <MAILER-DAEMON@mx.dead.example.com>\nSubject: Returned mail: see transcript for details\nAuto-Submitted: auto-generated (failure)',
      '   ----- The following addresses had permanent fatal errors -----\n<nobody@dead.example.com>\n    (reason: 550 5.1.1 <nobody@dead.example.com>... User unknown)',
      'Reporting-MTA: dns; mx.dead.example.com\n\nFinal-Recipient: RFC822; nobody@dead.example.com\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: SMTP; 550 5.1.1 <nobody@dead.example.com>... User unknown\n',
    ),
    failed,
    'bounce',
  ],
  'Exim, with reasons that only the text contains': [
    report(
      'X-Failed-Recipients: nobody@dead.example.com,\n  full@dead.example.com\nFrom: Mail Delivery System <Mailer-Daemon@mx.desk.example.com>\nSubject: Mail delivery failed: returning message to sender',
      'A message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n  nobody@dead.example.com\n    Unrouteable address\n  late@dead.example.com\n    retry timeout exceeded\n  busy@dead.example.com\n    host mx.dead.example.com [192.0.2.9]\n    SMTP error from remote mail server after RCPT TO:<busy@dead.example.com>:\n    451 Try again later: retry timeout exceeded',
      'Reporting-MTA: dns; mx.desk.example.com\n\nAction: failed\nFinal-Recipient: rfc822;nobody@dead.example.com\nStatus: 5.0.0\n\nAction: failed\nFinal-Recipient: rfc822;late@dead.example.com\nStatus: 5.0.0\n\nAction: failed\nFinal-Recipient: rfc822;busy@dead.example.com\nStatus: 5.0.0\nRemote-MTA: dns; mx.dead.example.com\nDiagnostic-Code: smtp; 451 Try again later: retry timeout exceeded\n',
    ),
    [
      'nobody@dead.example.com failed 5.0.0 true',
      'late@dead.example.com failed 4.4.7 false',
      'busy@dead.example.com failed null false',
    ],
    'bounce',
  ],
  'Exim, text only, two recipients': [
    plain(
      'Return-Path: <>\nX-Failed-Recipients: nobody@dead.example.com,\n  full@dead.example.com\nAuto-Submitted: auto-replied\nFrom: Mail Delivery System <Mailer-Daemon@mx.desk.example.com>\nSubject: Mail delivery failed: returning message to sender',
      `This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n  nobody@dead.example.com\n    host mx.dead.example.com [192.0.2.9]\n    SMTP error from remote mail server after RCPT TO:<nobody@dead.example.com>:\n    550 5.1.1 User unknown\n  full@dead.example.com\n    Mailbox is full\n\n------ This is a copy of the message, including all the headers. ------\n\n${original}`,
    ),
    [...failed, 'full@dead.example.com failed null true'],
    'bounce',
  ],
  'Exim, delay warning': [
    plain(
      'Return-Path: <>\nAuto-Submitted: auto-replied\nFrom: Mail Delivery System <Mailer-Daemon@mx.desk.example.com>\nSubject: Warning: message 1abc-0001 delayed 24 hours',
      'This message was created automatically by mail delivery software.\nA message that you sent has not yet been delivered to one or more of its\nrecipients after more than 24 hours on the queue on mx.desk.example.com.\n\nThe message identifier is:     1abc-0001\nThe address to which the message has not yet been delivered is:\n\n  nobody@dead.example.com\n    Delay reason: Connection refused\n',
    ),
    ['nobody@dead.example.com delayed null false'],
    'delay',
  ],
  'qmail, two recipients': [
    plain(
      'Return-Path: <>\nFrom: MAILER-DAEMON@mx.dead.example.com\nSubject: failure notice',
      `Hi. This is the qmail-send program at mx.dead.example.com.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\n<nobody@dead.example.com>:\n192.0.2.9 does not like recipient.\nRemote host said: 550 5.1.1 User unknown\nGiving up on 192.0.2.9.\n\n<late@dead.example.com>:\nSorry, I wasn't able to establish an SMTP connection. (#4.4.1)\nI'm not going to try again; this message has been in the queue too long.\n\n--- Below this line is a copy of the message.\n\n${original}`,
    ),
    [...failed, 'late@dead.example.com failed 4.4.1 false'],
    'bounce',
  ],
  Yahoo: [
    plain(
      'Return-Path: <>\nFrom: MAILER-DAEMON@yahoo.example\nSubject: Failure Notice',
      `Sorry, we were unable to deliver your message to the following address.\n\n<nobody@dead.example.com>:\n554: delivery error: dd This user doesn't have a yahoo.com account (nobody@dead.example.com) [0] - mta1.yahoo.example\n\n--- Below this line is a copy of the message.\n\n${original}`,
    ),
    ['nobody@dead.example.com failed null true'],
    'bounce',
  ],
  'an older Exchange version': [
    plain(
      'Return-Path: <>\nFrom: postmaster@dead.example.com\nSubject: Undeliverable: Your warranty card\nIn-Reply-To: <own@desk.example.com>',
      'Your message did not reach some or all of the intended recipients.\n\n      Subject:\tYour warranty card\n      Sent:\t03.11.2026 09:00\n\nThe following recipient(s) cannot be reached:\n\n      nobody@dead.example.com on 03.11.2026 09:00\n            The e-mail account does not exist at the organization this message was sent to.\n            <mx.dead.example.com #5.1.1>\n',
    ),
    failed,
    'bounce',
  ],
  '1&1': [
    plain(
      'Return-Path: <>\nFrom: Mail Delivery System <mailer-daemon@kundenserver.example>\nSubject: Mail delivery failed: returning message to sender',
      `This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of\nits recipients. This is a permanent error.\n\nThe following address failed:\n\nnobody@dead.example.com:\nSMTP error from remote server for RCPT TO command, host: mx.dead.example.com (192.0.2.9) reason: 550 5.1.1 User unknown\n\n\n--- The header of the original message is following. ---\n\n${original}`,
    ),
    failed,
    'bounce',
  ],
  'a server with Russian text': [
    plain(
      'Return-Path: <>\nFrom: mailer-daemon@corp.example\nSubject: Mail failure.\nX-Failed-Recipients: nobody@dead.example.com',
      `Это письмо создано автоматически сервером, отвечать на него не нужно.\n\nК сожалению, Ваше письмо не может быть доставлено одному или нескольким получателям:\n\n**********************\n\nnobody@dead.example.com\nHost or domain name not found. 550 5.1.1 нет такого пользователя\n\n**********************\n\n${original}`,
    ),
    failed,
    'bounce',
  ],
}

export const bounces: (BounceCase & { server: string })[] = Object.entries(cases).map(
  ([server, [raw, expected, kind]]) => ({
    server,
    raw,
    expected,
    class: kind,
  }),
)
