import type { ComposeTexts } from './shape.ts'

export const plComposeTexts: ComposeTexts = {
  wrote: '{date} {name} napisał(a):',
  link: '{name} ({size}, do {date})',
  forwarded: 'Wiadomość przekazana dalej',
  from: 'Od',
  date: 'Data',
  subject: 'Temat',
  conversation: 'Twoja rozmowa z {project}',
  transcript: 'Oto kopia Twojej rozmowy z {project}.',
}
