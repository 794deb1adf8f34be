import type { ComposeTexts } from './shape.ts'

export const zhComposeTexts: ComposeTexts = {
  wrote: '{name} 于 {date} 写道：',
  link: '{name}（{size}，有效期至 {date}）',
  forwarded: '转发的邮件',
  from: '发件人',
  date: '日期',
  subject: '主题',
  conversation: '您与 {project} 的对话',
  transcript: '以下是您与 {project} 对话的副本。',
}
