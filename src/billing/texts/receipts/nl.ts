import type { ReceiptTexts } from './shape.ts'

export const nlReceipts: ReceiptTexts = {
  receipt: 'Kwitantie',
  invoice: 'Factuur',
  refund: 'Terugbetaling',
  issued: 'Uitgegeven op',
  to: 'Aan',
  taxNumber: 'Btw-nummer',
  what: 'Voor',
  topUp: 'Opwaardering van het saldo',
  plan: 'Abonnement',
  paidBack: 'Terugbetaald',
  reference: 'Kenmerk',
  date: 'Datum',
  paid: 'Betaald',
  fromBalance: 'uit het saldo',
  net: 'Netto',
  total: 'Totaal',
}
