import type { ComposeTexts } from './shape.ts'

export const arComposeTexts: ComposeTexts = {
  wrote: 'في {date}، كتب {name}:',
  link: '{name} ({size}، حتى {date})',
  forwarded: 'رسالة معاد توجيهها',
  from: 'من',
  date: 'التاريخ',
  subject: 'الموضوع',
  conversation: 'محادثتك مع {project}',
  transcript: 'هذه نسخة من محادثتك مع {project}.',
}
