/** Texts about the automatic emails of a mailbox. */
export const mailboxAutomatic = {
  title: 'Automatic emails',
  about:
    'Sent when an email opens a new ticket. They never answer automatic emails, mailing lists, spam, or your team.',
  needsSending: 'This mailbox doesn’t send email. Set up sending first.',
  acknowledges: 'Confirm new tickets',
  acknowledgesAbout: 'The customer gets an email that says that you received theirs.',
  away: 'Send an away message outside office hours',
  awayAbout: 'It is sent instead of the confirmation. The office hours are those of the website chat.',
  noHours: 'No office hours are set, so no away message is sent. You can set them in the website chat.',
  openHours: 'Website chat',
  language: 'Language',
  languageAbout:
    'Customers get the text in their own language if there is one, otherwise in the language of the project.',
  texts: 'Texts',
  kinds: { acknowledgement: 'Confirmation', away: 'Away message' },
  placeholders:
    'Leave a text empty to use that of Deskbell. You can use {{ticket.short_id}}, {{ticket.subject}} and {{contact.full_name|there}}: the word after | is used if there is no name.',
  preview: (kind: string) => `Preview: ${kind}`,
  unknown: (names: string) => `Unknown placeholder: ${names}`,
  sample: { number: '1042', subject: 'Where is my order?', name: 'Ann Lee' },
  on: 'On',
  off: 'Off',
}
