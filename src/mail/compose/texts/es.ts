import type { ComposeTexts } from './shape.ts'

export const esComposeTexts: ComposeTexts = {
  wrote: 'El {date}, {name} escribió:',
  link: '{name} ({size}, hasta el {date})',
}
