import type { AutomaticEmailTexts } from './shape.ts'

export const jaAutomaticEmails: AutomaticEmailTexts = {
  acknowledgement:
    'お問い合わせいただき、ありがとうございます。\n\nメッセージを受け取りました。できるだけ早くご返信いたします。お問い合わせ番号は {{ticket.short_id}} です。',
  away: 'お問い合わせいただき、ありがとうございます。\n\nメッセージを受け取りましたが、ただいま営業時間外です。営業を再開しましたら、ご返信いたします。お問い合わせ番号は {{ticket.short_id}} です。',
}
