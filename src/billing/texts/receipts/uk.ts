import type { ReceiptTexts } from './shape.ts'

export const ukReceipts: ReceiptTexts = {
  receipt: 'Квитанція',
  invoice: 'Рахунок',
  refund: 'Повернення',
  issued: 'Дата видачі',
  to: 'Кому',
  taxNumber: 'Податковий номер',
  what: 'За що',
  topUp: 'Поповнення балансу',
  plan: 'Тариф',
  paidBack: 'Повернено',
  reference: 'Номер',
  date: 'Дата',
  paid: 'Сплачено',
  fromBalance: 'з балансу',
  net: 'Без податку',
  total: 'Разом',
}
