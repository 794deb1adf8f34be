import type { ComposeTexts } from './shape.ts'

export const zhComposeTexts: ComposeTexts = {
  wrote: '{name} 于 {date} 写道：',
  link: '{name}（{size}，有效期至 {date}）',
}
