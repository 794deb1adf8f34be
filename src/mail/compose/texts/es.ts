import type { ComposeTexts } from './shape.ts'

export const esComposeTexts: ComposeTexts = {
  wrote: 'El {date}, {name} escribió:',
  link: '{name} ({size}, hasta el {date})',
  forwarded: 'Mensaje reenviado',
  from: 'De',
  date: 'Fecha',
  subject: 'Asunto',
  conversation: 'Tu conversación con {project}',
  transcript: 'Aquí tienes una copia de tu conversación con {project}.',
}
