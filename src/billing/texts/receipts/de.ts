import type { ReceiptTexts } from './shape.ts'

export const deReceipts: ReceiptTexts = {
  receipt: 'Quittung',
  invoice: 'Rechnung',
  refund: 'Erstattung',
  issued: 'Ausgestellt am',
  to: 'An',
  taxNumber: 'Steuernummer',
  what: 'Für',
  topUp: 'Aufladung des Guthabens',
  plan: 'Tarif',
  paidBack: 'Rückzahlung',
  reference: 'Referenz',
  date: 'Datum',
  paid: 'Bezahlt',
  fromBalance: 'aus dem Guthaben',
  net: 'Netto',
  total: 'Gesamt',
}
