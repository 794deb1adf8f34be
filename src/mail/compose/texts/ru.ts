import type { ComposeTexts } from './shape.ts'

export const ruComposeTexts: ComposeTexts = {
  wrote: '{date}, {name} пишет:',
  link: '{name} ({size}, до {date})',
  forwarded: 'Пересылаемое сообщение',
  from: 'От',
  date: 'Дата',
  subject: 'Тема',
  conversation: 'Ваша переписка с {project}',
  transcript: 'Это копия вашей переписки с {project}.',
}
