import type { ReceiptTexts } from './shape.ts'

export const ruReceipts: ReceiptTexts = {
  receipt: 'Квитанция',
  invoice: 'Счёт',
  refund: 'Возврат',
  issued: 'Дата выдачи',
  to: 'Кому',
  taxNumber: 'Налоговый номер',
  what: 'За что',
  topUp: 'Пополнение баланса',
  plan: 'Тариф',
  paidBack: 'Возвращено',
  reference: 'Номер',
  date: 'Дата',
  paid: 'Оплачено',
  fromBalance: 'с баланса',
  net: 'Без налога',
  total: 'Итого',
}
