import type { AutomaticEmailTexts } from './shape.ts'

export const faAutomaticEmails: AutomaticEmailTexts = {
  acknowledgement:
    'سلام،\n\nاز پیام شما سپاسگزاریم. پیام شما را دریافت کردیم و در اولین فرصت پاسخ می‌دهیم. شمارهٔ پیام {{ticket.short_id}} است.',
  away: 'سلام،\n\nاز پیام شما سپاسگزاریم. پیام شما را دریافت کردیم، اما دفتر ما اکنون تعطیل است. به‌محض بازگشت پاسخ می‌دهیم. شمارهٔ پیام {{ticket.short_id}} است.',
}
