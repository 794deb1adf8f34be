import type { ReceiptTexts } from './shape.ts'

export const faReceipts: ReceiptTexts = {
  receipt: 'رسید',
  invoice: 'فاکتور',
  refund: 'بازپرداخت',
  issued: 'تاریخ صدور',
  to: 'به',
  taxNumber: 'شماره مالیاتی',
  what: 'بابت',
  topUp: 'شارژ موجودی',
  plan: 'طرح',
  paidBack: 'بازگردانده شد',
  reference: 'شماره پیگیری',
  date: 'تاریخ',
  paid: 'پرداخت',
  fromBalance: 'از موجودی',
  net: 'خالص',
  total: 'جمع کل',
}
