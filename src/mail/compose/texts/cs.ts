import type { ComposeTexts } from './shape.ts'

export const csComposeTexts: ComposeTexts = {
  wrote: 'Dne {date} {name} napsal(a):',
  link: '{name} ({size}, do {date})',
  conversation: 'Vaše konverzace s {project}',
  transcript: 'Zde je kopie vaší konverzace s {project}.',
}
