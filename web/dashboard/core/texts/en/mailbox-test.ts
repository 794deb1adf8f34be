/** The email that a mailbox sends to itself. */
export const mailboxTest = {
  title: 'Test email',
  about: (address: string) =>
    `Deskbell sends an email from ${address} to itself, to check that it can send and receive. Test emails do not become tickets.`,
  send: 'Send a test email',
  sendAgain: 'Send another test email',
  waiting: 'The test email will be sent as soon as the mailbox works. This can take a minute.',
  sent: 'The test email was sent. Waiting for it to arrive…',
  failed: 'The test email could not be sent',
  arrived: 'The test email has arrived.',
  arrivedAfter: (seconds: number) =>
    seconds < 90
      ? `It took ${Math.max(Math.round(seconds), 1)} s.`
      : `It took ${Math.round(seconds / 60)} minutes.`,
  notArrived: 'The test email has not arrived',
  notArrivedAbout: (address: string) =>
    `It was sent, but did not arrive within 5 minutes. Check that email to ${address} is delivered to this mailbox, and look for the email in its spam folder.`,
  plus: 'Reply addresses',
  plusStatuses: {
    waiting: 'Waiting',
    works: 'Works',
    refused: 'Not available',
    too_long: 'Not available',
    not_arrived: 'Not available',
    untested: 'Not tested',
  },
  plusAbouts: {
    waiting: () => 'Waiting for the email to a plus address, such as name+tag@example.com.',
    works: () =>
      'Email to plus addresses arrives. Each ticket gets its own reply address, so that replies always find their ticket.',
    refused: () => 'The mail server refuses email to plus addresses, such as name+tag@example.com.',
    too_long: () =>
      'The part of the address before the @ has more than 18 characters, so there is no room for a tag after a plus sign.',
    not_arrived: () => 'The email to a plus address, such as name+tag@example.com, did not arrive.',
    untested: () => 'The test ended before this could be checked.',
  },
  without:
    'Deskbell recognises replies by their message IDs instead. That works with nearly all mail programs.',
  plusGuides: {
    microsoft:
      'To allow plus addresses, turn on plus addressing in the Exchange admin center under Settings, Mail flow. Then send another test email.',
    other:
      'To allow plus addresses, turn on plus addressing (also called subaddressing) on the mail server; in Postfix, set recipient_delimiter = +. Then send another test email.',
  },
  serverSays: (words: string) => `The mail server said: ${words}`,
  checks: 'Sender checks by the receiving mail server',
  checkedBy: (server: string) => `Result from ${server}:`,
  checkedByUs: 'Result from this Deskbell server:',
  verdicts: { pass: 'passed', fail: 'failed', none: 'not checked', temperror: 'DNS lookup failed' },
  checkNames: { spf: 'SPF', dkim: 'DKIM', dmarc: 'DMARC' },
  checksFailed: 'Recipients may treat replies as spam. Check the DNS records of the domain.',
  noChecks:
    'The mail server did not report any sender checks. That is normal for email that does not leave the server.',
}
