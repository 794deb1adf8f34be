import type { ComposeTexts } from './shape.ts'

export const heComposeTexts: ComposeTexts = {
  wrote: 'בתאריך {date}, {name} כתב/ה:',
  link: '{name} ({size}, עד {date})',
  forwarded: 'הודעה שהועברה',
  from: 'מאת',
  date: 'תאריך',
  subject: 'נושא',
  conversation: 'השיחה שלך עם {project}',
  transcript: 'זהו עותק של השיחה שלך עם {project}.',
}
