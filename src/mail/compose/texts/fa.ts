import type { ComposeTexts } from './shape.ts'

export const faComposeTexts: ComposeTexts = {
  wrote: '{name} در {date} نوشت:',
  link: '{name} ({size}، تا {date})',
  forwarded: 'پیام هدایت‌شده',
  from: 'از',
  date: 'تاریخ',
  subject: 'موضوع',
  conversation: 'گفتگوی شما با {project}',
  transcript: 'این یک نسخه از گفتگوی شما با {project} است.',
}
