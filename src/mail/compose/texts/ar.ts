import type { ComposeTexts } from './shape.ts'

export const arComposeTexts: ComposeTexts = {
  wrote: 'في {date}، كتب {name}:',
  link: '{name} ({size}، حتى {date})',
}
