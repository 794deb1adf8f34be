import type { ReceiptTexts } from './shape.ts'

export const trReceipts: ReceiptTexts = {
  receipt: 'Makbuz',
  invoice: 'Fatura',
  refund: 'İade',
  issued: 'Düzenleme tarihi',
  to: 'Alıcı',
  taxNumber: 'Vergi numarası',
  what: 'Açıklama',
  topUp: 'Bakiye yükleme',
  plan: 'Plan',
  paidBack: 'İade edildi',
  reference: 'Referans',
  date: 'Tarih',
  paid: 'Ödeme',
  fromBalance: 'bakiyeden',
  net: 'Net',
  total: 'Toplam',
}
