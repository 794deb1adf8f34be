import type { ReceiptTexts } from './shape.ts'

export const frReceipts: ReceiptTexts = {
  receipt: 'Reçu',
  invoice: 'Facture',
  refund: 'Remboursement',
  issued: 'Émis le',
  to: 'À',
  taxNumber: 'Numéro fiscal',
  what: 'Objet',
  topUp: 'Recharge du solde',
  plan: 'Formule',
  paidBack: 'Remboursé',
  reference: 'Référence',
  date: 'Date',
  paid: 'Payé',
  fromBalance: 'par le solde',
  net: 'Hors taxes',
  total: 'Total',
}
