import type { ComposeTexts } from './shape.ts'

export const enComposeTexts: ComposeTexts = {
  wrote: 'On {date}, {name} wrote:',
  link: '{name} ({size}, until {date})',
  forwarded: 'Forwarded message',
  from: 'From',
  date: 'Date',
  subject: 'Subject',
  conversation: 'Your conversation with {project}',
  transcript: 'Here is a copy of your conversation with {project}.',
}
