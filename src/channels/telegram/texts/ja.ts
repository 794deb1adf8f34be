import type { TelegramTexts } from './shape.ts'

export const jaTelegram: TelegramTexts = {
  greeting: 'こんにちは。こちらにご記入ください。できるだけ早くお返事します。',
  away: 'メッセージをありがとうございます。ただいま営業時間外です。営業再開後にお返事します。',
  closed: 'お問い合わせ {{ticket.short_id}} を完了しました。ほかにご用件があれば、またご連絡ください。',
  rate: 'サポートにどの程度ご満足いただけましたか。',
  thanks_for_rating: '評価をありがとうございます。',
  share_phone: '電話番号を共有する',
  thanks_for_phone: 'ありがとうございます。電話番号を受け取りました。',
  new_ticket: '次のメッセージから新しい会話が始まります。',
  ask_continue:
    'ウェブサイトでの会話をここで続けますか？ご自身でウェブサイトからこのリンクを開いた場合だけボタンを押してください。',
  continue_ticket: '会話を続ける',
  continues: '次のメッセージから会話の続きになります。',
  no_groups: 'グループではお手伝いできません。直接メッセージをお送りください。',
  file_on_server:
    'このボットのサーバーは --local で動作し、ファイルを自身のディスクに保存しているため、ここには表示できません。',
  command_new: '新しい会話を始める',
  command_start: 'お問い合わせ',
}
