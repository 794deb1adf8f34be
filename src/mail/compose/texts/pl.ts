import type { ComposeTexts } from './shape.ts'

export const plComposeTexts: ComposeTexts = {
  wrote: '{date} {name} napisał(a):',
  link: '{name} ({size}, do {date})',
}
