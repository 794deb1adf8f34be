import type { ReceiptTexts } from './shape.ts'

export const enReceipts: ReceiptTexts = {
  receipt: 'Receipt',
  invoice: 'Invoice',
  refund: 'Refund',
  issued: 'Issued on',
  to: 'To',
  taxNumber: 'Tax number',
  what: 'For',
  topUp: 'Balance top-up',
  plan: 'Plan',
  paidBack: 'Refund',
  reference: 'Reference',
  date: 'Date',
  paid: 'Paid',
  fromBalance: 'from the balance',
  net: 'Net',
  total: 'Total',
}
