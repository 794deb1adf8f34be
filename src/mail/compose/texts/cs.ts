import type { ComposeTexts } from './shape.ts'

export const csComposeTexts: ComposeTexts = {
  wrote: 'Dne {date} {name} napsal(a):',
  link: '{name} ({size}, do {date})',
  forwarded: 'Přeposlaná zpráva',
  from: 'Od',
  date: 'Datum',
  subject: 'Předmět',
  conversation: 'Vaše konverzace s {project}',
  transcript: 'Zde je kopie vaší konverzace s {project}.',
}
