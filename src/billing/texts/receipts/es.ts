import type { ReceiptTexts } from './shape.ts'

export const esReceipts: ReceiptTexts = {
  receipt: 'Recibo',
  invoice: 'Factura',
  refund: 'Reembolso',
  issued: 'Emitido el',
  to: 'A',
  taxNumber: 'Número fiscal',
  what: 'Concepto',
  topUp: 'Recarga del saldo',
  plan: 'Plan',
  paidBack: 'Reembolsado',
  reference: 'Referencia',
  date: 'Fecha',
  paid: 'Pagado',
  fromBalance: 'con el saldo',
  net: 'Neto',
  total: 'Total',
}
