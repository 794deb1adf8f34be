import type { ComposeTexts } from './shape.ts'

export const deComposeTexts: ComposeTexts = {
  wrote: 'Am {date} schrieb {name}:',
  link: '{name} ({size}, bis {date})',
}
