import type { ComposeTexts } from './shape.ts'

export const itComposeTexts: ComposeTexts = {
  wrote: 'Il {date}, {name} ha scritto:',
  link: '{name} ({size}, fino al {date})',
}
