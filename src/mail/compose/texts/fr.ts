import type { ComposeTexts } from './shape.ts'

export const frComposeTexts: ComposeTexts = {
  wrote: 'Le {date}, {name} a écrit :',
  link: '{name} ({size}, jusqu’au {date})',
  forwarded: 'Message transféré',
  from: 'De',
  date: 'Date',
  subject: 'Objet',
  conversation: 'Votre conversation avec {project}',
  transcript: 'Voici une copie de votre conversation avec {project}.',
}
