import type { IdentityMailTexts } from './shape.ts'

export const jaIdentityMails: IdentityMailTexts = {
  code: {
    subject: 'コード: {code}',
    title: 'メールアドレスの確認',
    paragraphs: [
      '{project} は、このメールアドレスがあなたのものであることを確認しています。コードは {code} です。やり取りしている担当者にお伝えください。',
    ],
    small:
      'コードの有効期限は1時間です。{project} とやり取りしていない場合は、このメールを無視してください。',
  },
}
