import type { ReceiptTexts } from './shape.ts'

export const ptReceipts: ReceiptTexts = {
  receipt: 'Recibo',
  invoice: 'Fatura',
  refund: 'Reembolso',
  issued: 'Emitido em',
  to: 'Para',
  taxNumber: 'Número fiscal',
  what: 'Descrição',
  topUp: 'Recarga do saldo',
  plan: 'Plano',
  paidBack: 'Reembolsado',
  reference: 'Referência',
  date: 'Data',
  paid: 'Pago',
  fromBalance: 'com o saldo',
  net: 'Líquido',
  total: 'Total',
}
