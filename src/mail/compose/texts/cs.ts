import type { ComposeTexts } from './shape.ts'

export const csComposeTexts: ComposeTexts = {
  wrote: 'Dne {date} {name} napsal(a):',
  link: '{name} ({size}, do {date})',
}
