import type { ComposeTexts } from './shape.ts'

export const ukComposeTexts: ComposeTexts = {
  wrote: '{date}, {name} пише:',
  link: '{name} ({size}, до {date})',
}
