import type { ComposeTexts } from './shape.ts'

export const nlComposeTexts: ComposeTexts = {
  wrote: 'Op {date} schreef {name}:',
  link: '{name} ({size}, tot {date})',
}
