import type { ComposeTexts } from './shape.ts'

export const ukComposeTexts: ComposeTexts = {
  wrote: '{date}, {name} пише:',
  link: '{name} ({size}, до {date})',
  forwarded: 'Переслане повідомлення',
  from: 'Від',
  date: 'Дата',
  subject: 'Тема',
  conversation: 'Ваше листування з {project}',
  transcript: 'Це копія вашого листування з {project}.',
}
