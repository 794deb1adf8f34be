import type { ComposeTexts } from './shape.ts'

export const enComposeTexts: ComposeTexts = {
  wrote: 'On {date}, {name} wrote:',
  link: '{name} ({size}, until {date})',
}
