import type { ReceiptTexts } from './shape.ts'

export const arReceipts: ReceiptTexts = {
  receipt: 'إيصال',
  invoice: 'فاتورة',
  refund: 'استرداد',
  issued: 'تاريخ الإصدار',
  to: 'إلى',
  taxNumber: 'الرقم الضريبي',
  what: 'البيان',
  topUp: 'شحن الرصيد',
  plan: 'الباقة',
  paidBack: 'مبلغ مسترد',
  reference: 'المرجع',
  date: 'التاريخ',
  paid: 'الدفع',
  fromBalance: 'من الرصيد',
  net: 'الصافي',
  total: 'الإجمالي',
}
