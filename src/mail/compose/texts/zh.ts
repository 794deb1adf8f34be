import type { ComposeTexts } from './shape.ts'

export const zhComposeTexts: ComposeTexts = {
  wrote: '{name} 于 {date} 写道：',
  link: '{name}（{size}，有效期至 {date}）',
  forwarded: '转发的邮件',
  from: '发件人',
  date: '日期',
  subject: '主题',
}
