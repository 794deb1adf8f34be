import type { ComposeTexts } from './shape.ts'

export const nlComposeTexts: ComposeTexts = {
  wrote: 'Op {date} schreef {name}:',
  link: '{name} ({size}, tot {date})',
  forwarded: 'Doorgestuurd bericht',
  from: 'Van',
  date: 'Datum',
  subject: 'Onderwerp',
  conversation: 'Je gesprek met {project}',
  transcript: 'Hier is een kopie van je gesprek met {project}.',
}
