import type { ComposeTexts } from './shape.ts'

export const ruComposeTexts: ComposeTexts = {
  wrote: '{date}, {name} пишет:',
  link: '{name} ({size}, до {date})',
}
