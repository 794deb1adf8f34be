/** Texts about the automatic emails of a mailbox. */
export const mailboxAutomatic = {
  title: 'Automatic emails',
  about:
    'Sent when an email opens a new ticket. Automatic senders, mailing lists, spam and your own team never get one.',
  needsSending: 'This mailbox doesn’t send email. Set up sending first.',
  acknowledges: 'Confirm new tickets',
  acknowledgesAbout: 'Tells customers that you have received their email.',
  away: 'Send an away message outside office hours',
  awayAbout: 'Sent instead of the confirmation. The office hours are those of the website chat.',
  texts: 'Texts',
  kinds: { acknowledgement: 'Confirmation', away: 'Away message' },
  placeholders:
    'Leave a text empty to use Deskbell’s own. You can use {{ticket.short_id}}, {{ticket.subject}} and {{contact.full_name|there}}: the word after | is used if the customer has no name.',
  preview: (kind: string) => `Preview: ${kind}`,
  unknown: (names: string) => `Unknown placeholder: ${names}`,
  sample: { number: '1042', subject: 'Where is my order?', name: 'Ann Lee' },
  on: 'On',
  off: 'Off',
}
