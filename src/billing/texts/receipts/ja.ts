import type { ReceiptTexts } from './shape.ts'

export const jaReceipts: ReceiptTexts = {
  receipt: '領収書',
  invoice: '請求書',
  refund: '返金',
  issued: '発行日',
  to: '宛先',
  taxNumber: '登録番号',
  what: '内容',
  topUp: '残高のチャージ',
  plan: 'プラン',
  paidBack: '返金済み',
  reference: '参照番号',
  date: '日付',
  paid: 'お支払い',
  fromBalance: '残高から',
  net: '税抜金額',
  total: '合計',
}
