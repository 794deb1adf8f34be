import type { ComposeTexts } from './shape.ts'

export const deComposeTexts: ComposeTexts = {
  wrote: 'Am {date} schrieb {name}:',
  link: '{name} ({size}, bis {date})',
  forwarded: 'Weitergeleitete Nachricht',
  from: 'Von',
  date: 'Datum',
  subject: 'Betreff',
  conversation: 'Ihre Unterhaltung mit {project}',
  transcript: 'Hier ist eine Kopie Ihrer Unterhaltung mit {project}.',
}
