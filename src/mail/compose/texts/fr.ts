import type { ComposeTexts } from './shape.ts'

export const frComposeTexts: ComposeTexts = {
  wrote: 'Le {date}, {name} a écrit :',
  link: '{name} ({size}, jusqu’au {date})',
}
