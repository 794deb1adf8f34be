import type { ComposeTexts } from './shape.ts'

export const plComposeTexts: ComposeTexts = {
  wrote: '{date} {name} napisał(a):',
  link: '{name} ({size}, do {date})',
  conversation: 'Twoja rozmowa z {project}',
  transcript: 'Oto kopia Twojej rozmowy z {project}.',
}
