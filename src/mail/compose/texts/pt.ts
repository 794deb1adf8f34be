import type { ComposeTexts } from './shape.ts'

export const ptComposeTexts: ComposeTexts = {
  wrote: 'Em {date}, {name} escreveu:',
  link: '{name} ({size}, até {date})',
}
