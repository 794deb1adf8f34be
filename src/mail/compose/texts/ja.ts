import type { ComposeTexts } from './shape.ts'

export const jaComposeTexts: ComposeTexts = {
  wrote: '{date}、{name} さんが書きました:',
  link: '{name} ({size}、{date}まで)',
  conversation: '{project} との会話',
  transcript: '{project} との会話の控えをお送りします。',
}
