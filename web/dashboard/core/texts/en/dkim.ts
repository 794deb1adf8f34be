/** Keys with which Deskbell signs emails. */
export const dkim = {
  title: 'Signatures (DKIM)',
  about: (domain: string) =>
    `Needed only if the mail server that sends for ${domain} does not sign the emails itself. Deskbell then signs them with a key whose public part is published in DNS. All mailboxes of this project at ${domain} share it.`,
  make: 'Make a key',
  replace: 'Replace the key',
  check: 'Check the DNS record',
  remove: 'Delete the keys',
  removeTitle: (domain: string) => `Delete the keys of ${domain}?`,
  removeAbout: 'Replies are no longer signed. You can remove the DNS records afterwards.',
  publish: 'Add this TXT record to the DNS of your domain. Replies are signed once Deskbell has found it.',
  replaces: 'Replies are signed with the other key until this record is found.',
  name: 'Name of the record',
  record: 'Content of the record',
  statuses: { new: 'Not checked yet', published: 'Published', missing: 'Not found', differs: 'Differs' },
  abouts: {
    new: 'Deskbell has not looked for the record yet.',
    published: 'The record is published.',
    missing: 'The record was not found. New records can take an hour to appear.',
    differs: 'The record has another key. Replace its content with the one below.',
  },
  isSigning: 'Replies are signed with this key.',
  notChecked: 'The DNS records can’t be looked up right now. Try again later.',
}
