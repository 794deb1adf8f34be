export const forward = {
  menu: 'Forward…',
  title: 'Forward message',
  about: 'The contact won’t see this. Your message and the replies to it appear here as internal notes.',
  subjectHere: 'Fwd: and the original subject',
  note: 'Your message',
  noteHere: 'Add a message above the forwarded text…',
  files: 'Attach the message’s files',
  send: 'Forward',
  forwarded: (name: string) => `Forwarded message from ${name}`,
}
