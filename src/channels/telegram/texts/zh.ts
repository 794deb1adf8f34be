import type { TelegramTexts } from './shape.ts'

export const zhTelegram: TelegramTexts = {
  greeting: '您好！请在此给我们留言，我们会尽快回复。',
  away: '感谢您的留言。我们现在不在办公时间，上班后会尽快回复。',
  closed: '我们已关闭您的请求 {{ticket.short_id}}。如需其他帮助，请再次留言。',
  rate: '您对我们的帮助满意吗？',
  thanks_for_rating: '感谢您的评价。',
  share_phone: '分享我的电话号码',
  thanks_for_phone: '谢谢，我们已收到您的电话号码。',
  new_ticket: '您的下一条消息将开始新的对话。',
  ask_continue: '要在这里继续网站上的对话吗？只有当您自己在网站上打开了此链接时，才请按此按钮。',
  continue_ticket: '继续对话',
  continues: '您的下一条消息将继续该对话。',
  no_groups: '我无法在群组中提供帮助。请直接给我发消息。',
  file_on_server: '此机器人的服务器以 --local 运行，文件只保存在它自己的磁盘上，因此无法在此显示。',
  command_new: '开始新的对话',
  command_start: '联系我们',
}
