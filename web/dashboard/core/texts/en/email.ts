const reasons = {
  reply_token: 'It was sent to this ticket’s reply address.',
  in_reply_to: 'It answers an email in this ticket.',
  references: 'It belongs to the same conversation as an email in this ticket.',
  thread_index: 'Outlook marks it as part of the same conversation as an email in this ticket.',
  ticket_number: 'Its subject contains this ticket’s number.',
  subject: 'Its subject matches the contact’s only open ticket in this mailbox.',
  new: 'It isn’t related to an existing ticket.',
  new_stranger: 'It refers to another ticket, but its sender isn’t a participant there.',
  new_unverified: 'It refers to another ticket, but its sender couldn’t be verified.',
  follow_up: 'It answers a ticket that was closed too long ago.',
  forwarded: 'An operator forwarded it.',
  by_hand: 'Someone on your team added it to this ticket.',
  loop_suspected: 'Its sender opened too many tickets in a short time, so it joined the first of them.',
}

const warnings = {
  unverified: 'The sender couldn’t be verified (DMARC failed). Someone else may have written it.',
  operator_unverified: 'It names an operator as its sender, who couldn’t be verified.',
  subject_changed: 'Its subject differs from the ticket’s.',
}

const classes = {
  person: 'Written by a person',
  auto_reply: 'Automatic reply',
  automated: 'Sent automatically, for example by a mailing list',
  bounce: 'Delivery failed',
  delay: 'Delivery delayed',
  delivered: 'Delivery confirmed',
  receipt: 'Read receipt',
  complaint: 'Marked as spam by its recipient',
  loop: 'Sent by Deskbell itself',
  backscatter: 'Delivery report about an email that wasn’t ours',
}

const notices = {
  related: 'This email refers to another ticket.',
  truncated: 'This email is not shown completely.',
}

export const email = {
  from: 'From',
  to: 'To',
  cc: 'Cc',
  subject: 'Subject',
  unverified: 'Sender not verified',
  frame: (name: string) => `Email from ${name}`,
  imagesBlocked: 'Remote images are not loaded.',
  imagesLoad: 'Load images',
  imagesAlways: (address: string) => `Always load from ${address}`,
  imagesStop: 'Stop loading images',
  showQuote: 'Show quoted text',
  hideQuote: 'Hide quoted text',
  why: 'Why is this email here?',
  reasonOther: 'Deskbell assigned it to this ticket.',
  evidence: (value: string) => `Matching value: ${value}`,
  kind: (kind: string) => `Kind: ${kind}`,
  related: (number: string, subject: string) => `Related ticket: #${number} ${subject}`,
  addTo: (number: string) => `Add to #${number}`,
  block: 'Block sender…',
  splitOff: 'Move to its own ticket',
  splitLater: 'Also move later messages from this sender',
  source: 'View source',
  headers: 'Headers',
  raw: 'Source',
  rawNone: 'The original is no longer stored.',
  rawCut: 'Only the beginning is shown. Download the email to see all of it.',
  copySource: 'Copy',
  download: 'Download',
  notices,
  reasons,
  warnings,
  classes,
}
