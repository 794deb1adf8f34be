/** Texts about the keys that Deskbell signs emails with. */
export const dkim = {
  title: 'DKIM signing',
  about: (domain: string) =>
    `Needed only if the mail server that sends for ${domain} does not sign emails itself. Deskbell then signs them with a key whose public part you publish in DNS. All mailboxes of this project at ${domain} share the key.`,
  make: 'Create a key',
  replace: 'Replace the key',
  check: 'Check the DNS record',
  remove: 'Delete the keys',
  removeTitle: (domain: string) => `Delete the keys for ${domain}?`,
  removeAbout: 'Replies will no longer be signed. You can remove the DNS records afterwards.',
  publish: 'Add this TXT record to your domain’s DNS. Deskbell signs replies once it has found the record.',
  replaces: 'Until this record is found, replies are signed with the other key.',
  name: 'Name of the record',
  record: 'Content of the record',
  statuses: {
    new: 'Not checked yet',
    published: 'Published',
    missing: 'Not found',
    differs: 'Wrong content',
  },
  abouts: {
    new: 'Deskbell has not looked for the record yet.',
    published: 'The record is published.',
    missing: 'The record was not found. New records can take an hour to appear.',
    differs: 'The record contains another key. Replace its content with the one below.',
  },
  isSigning: 'Replies are signed with this key.',
  notChecked: 'The DNS records can’t be looked up right now. Try again later.',
}
