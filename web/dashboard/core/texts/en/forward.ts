export const forward = {
  menu: 'Forward…',
  title: 'Forward message',
  about: 'The contact sees nothing of this. Your text and the answers appear here as internal notes.',
  subjectHere: 'Fwd: and the subject of the message',
  note: 'Your text',
  noteHere: 'Write something above the message…',
  files: 'Attach files of the message',
  send: 'Forward',
  forwarded: (name: string) => `Forwarded message from ${name}`,
}
