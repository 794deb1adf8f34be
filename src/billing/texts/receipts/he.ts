import type { ReceiptTexts } from './shape.ts'

export const heReceipts: ReceiptTexts = {
  receipt: 'קבלה',
  invoice: 'חשבונית',
  refund: 'החזר',
  issued: 'תאריך הנפקה',
  to: 'לכבוד',
  taxNumber: 'מספר עוסק',
  what: 'עבור',
  topUp: 'טעינת היתרה',
  plan: 'תוכנית',
  paidBack: 'הוחזר',
  reference: 'אסמכתה',
  date: 'תאריך',
  paid: 'תשלום',
  fromBalance: 'מהיתרה',
  net: 'לפני מס',
  total: 'סה"כ',
}
