import type { ComposeTexts } from './shape.ts'

export const jaComposeTexts: ComposeTexts = {
  wrote: '{date}、{name} さんが書きました:',
  link: '{name} ({size}、{date}まで)',
  forwarded: '転送メッセージ',
  from: '差出人',
  date: '日付',
  subject: '件名',
  conversation: '{project} との会話',
  transcript: '{project} との会話の控えをお送りします。',
}
