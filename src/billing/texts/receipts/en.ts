import type { ReceiptTexts } from './shape.ts'

export const enReceipts: ReceiptTexts = {
  receipt: 'Receipt',
  invoice: 'Invoice',
  refund: 'Refund',
  issued: 'Issued on',
  to: 'To',
  taxNumber: 'Tax number',
  what: 'For',
  topUp: 'Top-up of the balance',
  plan: 'Plan',
  paidBack: 'Paid back',
  reference: 'Reference',
  date: 'Date',
  paid: 'Paid',
  fromBalance: 'from the balance',
  net: 'Net',
  total: 'Total',
}
