import type { ComposeTexts } from './shape.ts'

export const ptComposeTexts: ComposeTexts = {
  wrote: 'Em {date}, {name} escreveu:',
  link: '{name} ({size}, até {date})',
  forwarded: 'Mensagem encaminhada',
  from: 'De',
  date: 'Data',
  subject: 'Assunto',
  conversation: 'A sua conversa com {project}',
  transcript: 'Segue uma cópia da sua conversa com {project}.',
}
