import type { ComposeTexts } from './shape.ts'

export const jaComposeTexts: ComposeTexts = {
  wrote: '{date}、{name} さんが書きました:',
  link: '{name} ({size}、{date}まで)',
}
