import type { ComposeTexts } from './shape.ts'

export const itComposeTexts: ComposeTexts = {
  wrote: 'Il {date}, {name} ha scritto:',
  link: '{name} ({size}, fino al {date})',
  forwarded: 'Messaggio inoltrato',
  from: 'Da',
  date: 'Data',
  subject: 'Oggetto',
  conversation: 'La tua conversazione con {project}',
  transcript: 'Ecco una copia della tua conversazione con {project}.',
}
