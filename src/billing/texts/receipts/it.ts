import type { ReceiptTexts } from './shape.ts'

export const itReceipts: ReceiptTexts = {
  receipt: 'Ricevuta',
  invoice: 'Fattura',
  refund: 'Rimborso',
  issued: 'Emesso il',
  to: 'A',
  taxNumber: 'Codice fiscale',
  what: 'Oggetto',
  topUp: 'Ricarica del saldo',
  plan: 'Piano',
  paidBack: 'Rimborsato',
  reference: 'Riferimento',
  date: 'Data',
  paid: 'Pagato',
  fromBalance: 'dal saldo',
  net: 'Imponibile',
  total: 'Totale',
}
